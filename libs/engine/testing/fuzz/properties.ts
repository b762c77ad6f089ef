import { done, link, validate, type LinkedProgram, type Program, type SettledRun } from '@app/engine';
import { arbitraryProgram, type Family } from '../arbitrary.ts';
import { Random } from '../random.ts';
import { scriptOf, withoutSeq } from '../scripted-outcome.ts';
import type { Coverage } from './coverage.ts';
import { damaged } from './damage.ts';
import { deepFreeze } from './frozen.ts';
import { arrivalRuns, latchRuns } from './reference-model.ts';
import { Violation, walk, type Walked } from './walk.ts';

const ORDERS = 3;

/** One random program: everything that is checked of it. Throws with the seed and what was violated. */
export function checkProgram(seed: number | string, coverage?: Coverage): number {
  try {
    return checkWild(seed, coverage) + checkWild(`${seed} b`, coverage) + checkWild(`${seed} c`, coverage) + checkOrders(seed, 'latch', coverage) + checkOrders(seed, 'arrivals', coverage) + checkLatchModel(seed) + checkArrivalModel(seed);
  } catch (error) {
    if (error instanceof Violation) throw new Violation(`seed ${seed}: ${error.message}`);
    throw new Error(`seed ${seed}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`, { cause: error });
  }
}

function checkWild(seed: number | string, coverage: Coverage | undefined): number {
  const program = linked(seed, 'wild');
  const random = new Random(`order ${seed}`);
  return said(`wild ${seed}`, () => walk(program, (now) => scriptOf(program, 'wild', seed, { now }), { random, coverage, thorough: random.chance(0.25), cancelChance: random.chance(0.2) ? 0.03 : 0, losses: true })).steps;
}

/** Any order of completion gives the same runs, with the same live in-edges, and the same end. */
function checkOrders(seed: number | string, family: Exclude<Family, 'wild'>, coverage: Coverage | undefined): number {
  const program = linked(seed, family);
  let steps = 0;
  let first: string | null = null;
  for (let order = 0; order < ORDERS; order++) {
    const random = new Random(`order ${order} ${seed}`);
    const walked = said(`${family}, order ${order}`, () => walk(program, (now) => scriptOf(program, family, seed, { now }), { random, coverage: order === 0 ? coverage : undefined, thorough: order === 1 && random.chance(0.5), cancelChance: 0, losses: order === 2 }));
    steps += walked.steps;
    // A walk that was cut short says nothing about the whole.
    if (walked.end.status === 'canceled') continue;
    const summary = summaryOf(walked, family);
    first ??= summary;
    if (summary !== first) throw new Violation(`${family}: order 0 and order ${order} differ:\n${difference(first, summary)}`);
  }
  return steps;
}

/**
 * A program that is not quite one: `validate` says so, or it runs like any other. Answers how many of the damaged ones
 * passed; those are run.
 */
export function checkDamaged(seed: number | string, tries: number): number {
  let passed = 0;
  const whole = arbitraryProgram(seed, 'wild');
  expectValid(whole, seed);
  for (let attempt = 0; attempt < tries; attempt++) {
    const random = new Random(`damage ${seed} ${attempt}`);
    const program = damaged(random, whole);
    if (validate(program).some((problem) => problem.severity === 'error')) continue;
    passed += 1;
    const linkedProgram = link(program as Program, wideFrom(seed));
    said(`seed ${seed}, damage ${attempt}`, () => walk(linkedProgram, (now) => scriptOf(linkedProgram, 'wild', seed, { now }), { random, thorough: false, cancelChance: 0, losses: false }));
  }
  return passed;
}

function expectValid(program: Program, seed: number | string): void {
  const problem = validate(program)[0];
  if (problem) throw new Violation(`seed ${seed}: a program that is in order was refused: ${problem.path} ${problem.message}`);
}

function checkLatchModel(seed: number | string): number {
  const program = plain(linked(`model ${seed}`, 'latch'), 'on');
  if (program.back.some(Boolean)) return 0;
  const portsOf = portsBy(program, seed);
  const expected = latchRuns(program, portsOf);
  const walked = said('latch model', () => plainWalk(program, portsOf, seed));
  const actual = new Map(walked.runs.filter((run) => run.status !== 'skipped').map((run) => [run.node, liveEdges(run)]));
  const show = (runs: ReadonlyMap<number, readonly number[]>): string => JSON.stringify([...runs].sort(([a], [b]) => a - b));
  if (show(expected) !== show(actual)) throw new Violation(`latch model: expected ${show(expected)}, ran ${show(actual)}`);
  return walked.steps;
}

function checkArrivalModel(seed: number | string): number {
  const program = plain(linked(`model ${seed}`, 'arrivals'), 'off');
  const portsOf = portsBy(program, seed);
  const expected = arrivalRuns(program, portsOf);
  if ([...expected.values()].reduce((sum, count) => sum + count, 0) > 120) return 0;
  const walked = said('arrivals model', () => plainWalk(program, portsOf, seed));
  for (const [node, count] of expected) {
    const actual = walked.runs.filter((run) => run.node === node).length;
    if (actual !== count) throw new Violation(`arrivals model: node ${node} was to run ${count} times and ran ${actual} times`);
  }
  return walked.steps;
}

/** The same graph without regions, tools and policies that the models do not know. */
function plain(program: LinkedProgram, dead: 'on' | 'off'): LinkedProgram {
  const keep = program.nodes.filter((node) => node.region === null && node.attributes['role'] !== 'tool').map((node) => node.index);
  const place = new Map(keep.map((node, index) => [node, index]));
  const edges = program.edges.filter((edge) => place.has(edge.from.node) && place.has(edge.to.node)).map((edge, index) => ({ ...edge, index, before: edge.index, from: { ...edge.from, node: place.get(edge.from.node)! }, to: { ...edge.to, node: place.get(edge.to.node)! } }));
  const renumbered = new Map(edges.map((edge) => [edge.before, edge.index]));
  const nodes = keep.map((old, index) => {
    const node = program.nodes[old]!;
    // One slot for each edge, and one live edge is enough: what the models describe.
    const slots = node.slots.flatMap((slot) => slot.edges).map((edge, input) => ({ input, edges: [renumbered.get(edge)!], buffer: dead === 'on' ? ('latch' as const) : ('fifo' as const), merge: 'anyEdge' as const }));
    for (const [slot, own] of slots.entries()) edges[own.edges[0]!] = { ...edges[own.edges[0]!]!, to: { node: index, slot } };
    const every = slots.map((_, slot) => slot);
    const groups = dead === 'on' ? [every] : every.map((slot) => [slot]);
    return { ...node, index, kind: 'op' as const, regionSpec: null, slots, groups: slots.length === 0 ? [] : groups.map((own) => ({ slots: own, needLive: 1 })) };
  });
  const policies = { ...program.policies, dead, emptyOutput: 'emitted' as const, skipRule: 'forwardSlots' as const };
  return deepFreeze(link({ format: 1, name: program.name, attributes: {}, nodes, edges: edges.map(({ before: _, ...edge }) => edge), policies }, wideFrom(program.name)));
}

function plainWalk(program: LinkedProgram, portsOf: (node: number) => number[], seed: number | string): Walked {
  return walk(program, () => (activation) => done(portsOf(activation.node).map((port) => ({ port, count: 1 }))), { random: new Random(`model order ${seed}`), thorough: false, cancelChance: 0, losses: false });
}

function portsBy(program: LinkedProgram, seed: number | string): (node: number) => number[] {
  const ports = program.nodes.map((node) => {
    const random = new Random(`ports ${seed} ${node.index}`);
    return node.ports.map((_, port) => port).filter(() => random.chance(0.7));
  });
  return (node) => ports[node]!;
}

function linked(seed: number | string, family: Family): LinkedProgram {
  const program = arbitraryProgram(seed, family);
  expectValid(program, seed);
  return deepFreeze(link(program, wideFrom(seed)));
}

/** Random programs have few edges: in every other one two of them are a wide join. */
function wideFrom(seed: number | string): number | undefined {
  return new Random(`wide ${seed}`).chance(0.5) ? 2 : undefined;
}

function said<T>(which: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof Violation) throw new Violation(`${which}: ${error.message}`);
    throw error;
  }
}

const liveEdges = (run: SettledRun): number[] => run.inputs.flatMap((input) => (input?.from ? [input.edge] : [])).sort((a, b) => a - b);

function summaryOf({ activations, runs, end }: Walked, family: Family): string {
  // Which of several arrivals is seq 0 is decided by the order of completion alone.
  const name = ({ scope, node, seq }: { scope: string; node: number; seq: number }): string => (family === 'arrivals' ? `${withoutSeq(scope)}/${node}` : `${scope}/${node}#${seq}`);
  const lines = [
    ...activations.map((activation) => `activation ${name(activation)} ${activation.cause} ${activation.phase ?? ''}`),
    ...runs.map((run) => `run ${name(run)} ${run.status} from ${liveEdges(run).join(',')}`),
  ].sort();
  return [...lines, `end ${end.status} ${end.cause ?? ''}`].join('\n');
}

function difference(left: string, right: string): string {
  const [a, b] = [left.split('\n'), right.split('\n')];
  const only = (own: readonly string[], other: readonly string[], sign: string): string[] => own.filter((line) => !other.includes(line)).map((line) => `  ${sign} ${line}`);
  const lines = [...only(a, b, '-'), ...only(b, a, '+')];
  return (lines.length > 0 ? lines : ['  the same lines in other numbers']).slice(0, 20).join('\n');
}
