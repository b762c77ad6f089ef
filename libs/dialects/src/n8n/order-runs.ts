import { activationId, runsEarlier, type ActivationKey, type InputToken, type LinkedProgram } from '@app/engine';

/** What ordering needs to know of a run. */
export interface OrderedRun extends ActivationKey {
  readonly commit: number;
  readonly inputs: readonly (InputToken | null)[];
  readonly cause: string;
}

interface Place {
  readonly run: OrderedRun;
  readonly parent: Place | null;
  /** Of a run fired by starvation: the run with which its node began to wait. */
  readonly waitedSince: Place | null;
  readonly depth: number;
  readonly children: Place[];
}

/**
 * Runs in the order in which a serial execution would have them, whatever the order in which they ended: a run stands
 * behind the last of the runs that fed it, among its siblings by canvas position; a run fired by starvation begins a
 * new prefix, and those stand in the order in which their nodes would have begun to wait. For executions that were serial this is the order of their commits.
 */
export function orderRuns<T extends OrderedRun>(program: LinkedProgram, runs: readonly T[]): T[] {
  const byCommit = [...runs].sort((a, b) => a.commit - b.commit);
  if (program.policies.maxConcurrency === 1) return byCommit;
  const root: Place = { run: byCommit[0]!, parent: null, waitedSince: null, depth: 0, children: [] };
  const places = new Map<string, Place>();
  for (const run of byCommit) {
    const feeders = run.inputs.flatMap((input) => (input?.from ? (places.get(keyOf(input.from)) ?? []) : []));
    const isStarved = run.cause === 'starved';
    const parent = isStarved ? root : feeders.reduce<Place>((last, feeder) => (last === root || comesBefore(program, last, feeder) ? feeder : last), root);
    const waitedSince = isStarved ? feeders.reduce<Place | null>((first, feeder) => (first && !comesBefore(program, feeder, first) ? first : feeder), null) : null;
    const place: Place = { run, parent, waitedSince, depth: parent.depth + 1, children: [] };
    parent.children.push(place);
    places.set(keyOf(run), place);
  }
  return walk(program, root) as T[];
}

const keyOf = (key: ActivationKey): string => activationId('', key);

function comesBefore(program: LinkedProgram, a: Place, b: Place): boolean {
  let left = a;
  let right = b;
  while (left.depth > right.depth) left = left.parent!;
  while (right.depth > left.depth) right = right.parent!;
  if (left === right) return a.depth < b.depth;
  while (left.parent !== right.parent) {
    left = left.parent!;
    right = right.parent!;
  }
  return compareSiblings(program, left, right) < 0;
}

function compareSiblings(program: LinkedProgram, a: Place, b: Place): number {
  if (a.depth === 1) return comparePrefixes(program, a, b);
  const [left, right] = [edgeOf(a), edgeOf(b)].map((edge) => program.edges[edge]);
  if (!left || !right) return a.run.commit - b.run.commit || a.run.seq - b.run.seq;
  return runsEarlier(left, right) || a.run.seq - b.run.seq;
}

/** Who fed a starved run was committed before it, so this comes to an end. */
function comparePrefixes(program: LinkedProgram, a: Place, b: Place): number {
  const [since, other] = [a.waitedSince, b.waitedSince];
  if (!since || !other || since === other) return a.run.commit - b.run.commit;
  return comesBefore(program, since, other) ? -1 : 1;
}

/** The edge over which the run's last feeder reached it. */
const edgeOf = ({ run, parent }: Place): number =>
  run.inputs.find((input) => input?.from && parent && input.from.node === parent.run.node && input.from.seq === parent.run.seq)?.edge ?? -1;

function walk(program: LinkedProgram, root: Place): OrderedRun[] {
  const ordered: OrderedRun[] = [];
  const open = [...root.children].sort((a, b) => comparePrefixes(program, a, b)).reverse();
  for (let place = open.pop(); place; place = open.pop()) {
    ordered.push(place.run);
    open.push(...[...place.children].sort((a, b) => compareSiblings(program, a, b)).reverse());
  }
  return ordered;
}
