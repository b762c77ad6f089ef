import { scopeOwner, type Effect, type LinkedProgram, type OpenActivation, type Outcome, type PortOutput, type ProgramNode, type Suspension } from '@app/engine';
import type { Family } from './arbitrary.ts';
import { Random } from './random.ts';

/** What each activation of a program does: a pure function of the seed and the activation, whatever ran before it. */
export type Script = (activation: OpenActivation) => Outcome;

/** From this run on a node leads out of every cycle, so that every script ends. */
const LAST_ROUND = 3;

export interface ScriptOptions {
  /** Gaps in the clock that timers ask for. */
  readonly now: () => number;
  /** Suspensions, retries and failures only; everything that ends an execution early is left out. */
  readonly calm?: boolean;
}

export function scriptOf(program: LinkedProgram, family: Family, seed: number | string, options: ScriptOptions): Script {
  return (activation) => {
    const node = program.nodes[activation.node]!;
    // One run per arrival: which of them is seq 0 depends on the order of completion, so the script may not look at it.
    const identity = family === 'arrivals' ? `${withoutSeq(activation.scope)}` : `${activation.scope} ${activation.seq}`;
    const random = new Random(`outcome ${seed} ${identity} ${activation.node} ${activation.phase ?? ''} ${activation.attempt - activation.losses}`);
    return new Scripted(program, node, activation, random, family === 'wild' && !options.calm, options.now).outcome();
  };
}

/** A scope without the number of the firing that opened it. */
export const withoutSeq = (scope: string): string => scope.replaceAll(/(\d+)\.\d+\.(\d+)/g, '$1.$2');

class Scripted {
  constructor(
    private readonly program: LinkedProgram,
    private readonly node: ProgramNode,
    private readonly activation: OpenActivation,
    private readonly random: Random,
    private readonly wild: boolean,
    private readonly now: () => number,
  ) {}

  outcome(): Outcome {
    const { random, node, activation } = this;
    const first = activation.attempt - activation.losses <= 4;
    if (first && random.chance(0.14)) return this.suspended();
    if (this.mayFail() && random.chance(0.16)) return { kind: 'failed', error: { message: 'no', code: random.chance(0.2) ? 'crashed' : 'node_failed', retryable: random.chance(0.2) ? false : undefined }, fallback: this.outputs(), effects: random.chance(0.3) ? this.effects() : undefined, final: random.chance(0.2) };
    if (node.kind === 'region') return { kind: 'done', outputs: [], effects: [...this.effects(), ...this.driverEffects()] };
    if (random.chance(0.04)) return { kind: 'done', outputs: [], effects: this.effects(), void: true };
    return { kind: 'done', outputs: this.outputs(), effects: this.effects(), softFailure: random.chance(0.06) };
  }

  /** Where a failure stops others, the result depends on what they had done by then. */
  private mayFail(): boolean {
    return this.wild || this.node.onError.kind !== 'failRun' || this.activation.scope !== '';
  }

  private driverEffects(): Effect[] {
    const { random, node, activation } = this;
    if (activation.phase === 'next') return [{ kind: 'continue', again: scopeOwner(activation.scope).index < random.int(0, 2) }];
    const branches = node.regionSpec!.branches.map((_, branch) => branch);
    return [{ kind: 'enter', count: random.int(0, 3), branches: branches.length > 0 ? Array.from({ length: random.int(0, 3) }, () => random.pick(branches)) : undefined }];
  }

  private suspended(): Outcome {
    const { random, activation, node } = this;
    const suspension: Suspension = {
      key: `${activation.scope} ${node.name} ${activation.seq} ${activation.attempt}`,
      wait: random.pick(['time', 'callback', 'human', 'children'] as const),
      until: random.chance(0.3) ? this.now() + random.int(0, 500) : null,
      resume: random.pick(['complete', 'reenter'] as const),
      children: random.int(1, 2),
    };
    const tools = this.program.edges.filter((edge) => edge.kind === 'resource' && edge.to.node === node.index).map((edge) => edge.from.node);
    const calls = tools.length > 0 && random.chance(0.8) ? Array.from({ length: random.int(1, 2) }, (_, index): Effect => ({ kind: 'invoke', node: random.pick(tools), arguments: { index } })) : [];
    const until = calls.length > 0 || suspension.wait === 'children' ? null : suspension.wait === 'time' ? (suspension.until ?? this.now() + 100) : suspension.until;
    return { kind: 'suspended', suspension: { ...suspension, until }, effects: [...this.effects(), ...calls] };
  }

  /** Ports with 0 to 2 items each, in every form a payload has. */
  private outputs(): PortOutput[] {
    const { node, random } = this;
    return this.portsTaken().map((port): PortOutput => {
      const count = random.pick([0, 1, 1, 1, 2]);
      const ref = this.activation.inputs.find((input) => input?.ref)?.ref;
      const form = random.pick(['items', 'ref', 'list', 'signal']);
      if (form === 'ref' && ref) return { port, count: ref.count, ref };
      if (form === 'list') return { port, count, list: 'kept' };
      if (form === 'signal') return { port, count };
      return { port, count, items: Array.from({ length: count }, (_, item) => ({ json: { node: node.name, item } })) };
    });
  }

  private portsTaken(): number[] {
    const { node, random, program, activation } = this;
    if (node.attributes['role'] === 'loopExit') return activation.seq < LAST_ROUND && random.chance(0.6) ? [1] : random.chance(0.85) ? [0] : [];
    const taken = node.ports.map((_, port) => port).filter(() => random.chance(0.75));
    const isBack = (port: number): boolean => program.outgoing[node.index]![port]!.some((edge) => program.back[edge.index]);
    return activation.seq < LAST_ROUND ? taken : taken.filter((port) => !isBack(port));
  }

  private effects(): Effect[] {
    const { random, activation } = this;
    const effects: Effect[] = [];
    if (random.chance(0.12)) effects.push({ kind: 'setCell', node: this.node.index, name: 'state', value: random.int(0, 9) });
    if (random.chance(0.1)) effects.push({ kind: 'setVar', name: 'v', value: random.int(0, 9) });
    if (random.chance(0.12)) effects.push({ kind: 'append', list: 'kept', input: 0 });
    if (random.chance(0.1)) effects.push({ kind: 'stream', chunk: 'x' });
    if (this.wild && activation.scope !== '' && random.chance(0.08)) effects.push({ kind: 'break' });
    if (this.wild && random.chance(0.015)) effects.push({ kind: 'halt' });
    return effects;
  }
}

/** The outcome of an activation that has been woken and whose suspension said `complete`. */
export function completed(node: ProgramNode): Outcome {
  return { kind: 'done', outputs: node.kind === 'op' && node.ports.length > 0 ? [{ port: 0, count: 1 }] : [], effects: node.kind === 'region' ? [{ kind: 'enter', count: 1 }] : [] };
}
