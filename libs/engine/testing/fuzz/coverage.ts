import { JOIN_POLICIES, joinName } from '../arbitrary-entrance.ts';

const EFFECTS = ['emit', 'setCell', 'setVar', 'append', 'break', 'halt', 'enter', 'continue', 'stream', 'invoke'];
const OUTCOMES = ['done', 'failed', 'suspended', 'void', 'soft failure', 'final failure', 'retry'];
const DEAD_PATHS = ['D1 untaken port', 'D2 skipped', 'D3 not over a back edge', 'D4 held', 'D4 released', 'D4 dropped', 'D5 live over dead', 'D6 skipped region'];
const WAITS = ['time', 'callback', 'human', 'children'].flatMap((wait) => ['complete', 'reenter'].map((resume) => `suspension ${wait} ${resume}`));
const DRIVERS = ['forEach', 'count', 'map', 'map batch', 'while', 'doWhile', 'select', 'call'];
const ITERATION_ERRORS = ['fail', 'null', 'drop', 'collect'];
const ERRORS = ['failRun', 'deadAll', 'port', 'continue'];
const STARVED = ['nothing', 'fireWithMissing', 'error'];
const ENDS = ['succeeded', 'failed node-failed', 'failed crashed', 'failed starved', 'failed budget', 'succeeded budget', 'canceled user'];
const LOADED = ['need tokens', 'need allTokens', 'need arrival'];
const POLICIES = ['order depthFirst', 'order breadthFirst', 'dead on', 'dead off', 'skipRule forwardSlots', 'skipRule allSlots', 'emptyOutput notEmitted', 'emptyOutput emitted', 'emptyOutput emittedToLaterInputs', 'limited', 'unlimited', 'suspendedHoldsPlace', 'startUnrunSources fired', 'countSuspended false', 'drainAfterVoid false'];

/** Everything that a full run must have seen often enough, by name. */
const NAMES: readonly string[] = [
  ...EFFECTS.map((name) => `effect ${name}`),
  ...OUTCOMES.map((name) => `outcome ${name}`),
  ...DEAD_PATHS,
  ...WAITS,
  ...DRIVERS.map((name) => `driver ${name}`),
  ...ITERATION_ERRORS.map((name) => `iteration error ${name}`),
  ...ERRORS.map((name) => `error policy ${name}`),
  ...STARVED.map((name) => `starved ${name}`),
  ...ENDS.map((name) => `end ${name}`),
  ...LOADED,
  ...POLICIES.map((name) => `policy ${name}`),
  ...JOIN_POLICIES.map(joinName),
];

/** How often each named thing really happened: a fuzz that never reached a rule has not tested it. */
export class Coverage {
  private readonly counts = new Map<string, number>(NAMES.map((name) => [name, 0]));

  /** Throws for a name nobody asked for: a misspelt one would count for nothing. */
  saw(name: string): void {
    const before = this.counts.get(name);
    if (before === undefined) throw new Error(`No coverage is called "${name}".`);
    this.counts.set(name, before + 1);
  }

  below(floor: number): string[] {
    return [...this.counts].flatMap(([name, count]) => (count < floor ? [`${name}: ${count}`] : []));
  }

  table(): string {
    const width = Math.max(...NAMES.map((name) => name.length));
    return [...this.counts].map(([name, count]) => `${name.padEnd(width)} ${String(count).padStart(9)}`).join('\n');
  }
}
