import type { Group, ProgramNode, Slot, StarvedPolicy } from '@app/engine';
import type { Random } from './random.ts';

/** How a node's entrance decides: each slot alone, all slots together, or several sets of slots. */
export type Entrance = 'each' | 'and' | 'or';

export interface JoinPolicy {
  readonly entrance: Entrance;
  readonly buffer: Slot['buffer'];
  readonly merge: Slot['merge'];
  readonly consume: ProgramNode['consume'];
  readonly needLive: 'one' | 'all';
  readonly onStarved: StarvedPolicy['kind'];
}

/** Every policy that means something: queues have no merge, a slot alone needs no second live one. */
export const JOIN_POLICIES: readonly JoinPolicy[] = (['each', 'and', 'or'] as const).flatMap((entrance) =>
  (['latch anyEdge', 'latch allEdges', 'fifo anyEdge'] as const).flatMap((kind) =>
    (['groupSlots', 'allSlots'] as const).flatMap((consume) =>
      (entrance === 'each' ? (['one'] as const) : (['one', 'all'] as const)).flatMap((needLive) =>
        (['nothing', 'fireWithMissing', 'error'] as const).map((onStarved) => {
          const [buffer, merge] = kind.split(' ') as [Slot['buffer'], Slot['merge']];
          return { entrance, buffer, merge, consume, needLive, onStarved };
        }),
      ),
    ),
  ),
);

export function joinName({ entrance, buffer, merge, consume, needLive, onStarved }: JoinPolicy): string {
  return `join ${entrance} ${buffer}${buffer === 'latch' ? ` ${merge}` : ''} ${consume} needLive=${needLive} onStarved=${onStarved}`;
}

export type EntranceTable = Pick<ProgramNode, 'slots' | 'groups' | 'consume' | 'onStarved'>;

/** A slot and group table over these edges. undefined: the policy needs more edges than there are. */
export function entranceOf(random: Random, edges: readonly number[], policy: JoinPolicy): EntranceTable | undefined {
  const parts = policy.buffer === 'latch' || policy.entrance !== 'each' ? partition(random, edges) : edges.map((edge) => [edge]);
  const atLeast = policy.entrance === 'or' || policy.needLive === 'all' ? 2 : 1;
  if (parts.length < atLeast) return undefined;
  const slots = parts.map((own, index): Slot => ({ input: policy.entrance === 'each' ? 0 : index, edges: own, buffer: policy.buffer, merge: policy.merge }));
  const every = slots.map((_, slot) => slot);
  const sets = policy.entrance === 'each' ? every.map((slot) => [slot]) : policy.entrance === 'and' ? [every] : overlapping(random, every);
  const groups = sets.map((own): Group => ({ slots: own, needLive: policy.needLive === 'one' ? 1 : own.length }));
  return { slots, groups, consume: policy.consume, onStarved: starvedOf(random, policy, slots.length) };
}

function starvedOf(random: Random, { onStarved }: JoinPolicy, slots: number): StarvedPolicy {
  if (onStarved !== 'fireWithMissing') return { kind: onStarved };
  return { kind: 'fireWithMissing', atLeast: random.int(1, Math.min(2, slots)), slots: random.chance(0.2) ? [random.int(0, slots - 1)] : [], never: random.chance(0.1), inputs: slots };
}

function partition(random: Random, edges: readonly number[]): number[][] {
  const parts: number[][] = [];
  for (const edge of edges) {
    if (parts.length > 0 && random.chance(0.3)) random.pick(parts).push(edge);
    else parts.push([edge]);
  }
  return parts;
}

/** Two sets that cover all slots and may share some. */
function overlapping(random: Random, slots: readonly number[]): number[][] {
  const cut = random.int(1, slots.length - 1);
  const [left, right] = [slots.slice(0, cut), slots.slice(cut)];
  return random.chance(0.3) ? [left, [...right, random.pick(left)]] : [left, right];
}
