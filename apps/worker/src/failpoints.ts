import { writeSync } from 'node:fs';

/** Called at a named place, with the name of the node that is about to run or just ran ('' where there is none). */
export type Failpoint = (place: string, node: string) => void | Promise<void>;

/**
 * Places at which a chaos test has the process die, stop or stall, from `FAILPOINTS`. An entry is
 * `place[/node]=action[:share][@nth]`: only while that node runs, with that chance per passing, at the nth passing only.
 *
 *   kill, segfault, stop   by signal: SIGKILL, SIGSEGV, SIGSTOP
 *   exit, oom              the process ends itself, or is ended for want of memory
 *   delay<ms>, block<ms>   waits, or computes so that nothing else gets a turn
 *
 * A strike is told on stderr before it happens, so that the test can count it. Without any entry the function does
 * nothing. Entries of the API's places are passed over.
 */
export function failpoints(entries: readonly string[], random: () => number = Math.random): Failpoint {
  const points = entries.filter((entry) => !entry.startsWith('api:')).map(parse);
  if (points.length === 0) return () => {};
  return (place, node) => {
    for (const point of points) {
      if (point.place !== place || (point.node !== null && point.node !== node)) continue;
      point.passings += 1;
      if (point.nth !== null && point.passings !== point.nth) continue;
      if (random() >= point.share) continue;
      writeSync(2, `failpoint ${place}/${node}: ${point.action}\n`);
      return strike(point);
    }
  };
}

const ACTIONS = ['kill', 'segfault', 'stop', 'exit', 'oom', 'delay', 'block'] as const;

interface Point {
  readonly place: string;
  readonly node: string | null;
  readonly action: (typeof ACTIONS)[number];
  readonly ms: number;
  readonly share: number;
  readonly nth: number | null;
  passings: number;
}

function parse(entry: string): Point {
  const match = new RegExp(`^([\\w:-]+)(?:/([^=]+))?=(${ACTIONS.join('|')})(\\d*)(?::([\\d.]+))?(?:@(\\d+))?$`).exec(entry.trim());
  if (!match) throw new Error(`FAILPOINTS: "${entry}" is not place=action or place/node=action, with :share or @nth behind it. Actions: ${ACTIONS.join(', ')}; delay and block with milliseconds.`);
  const [, place, node, action, ms, share, nth] = match;
  return { place: place!, node: node ?? null, action: action as Point['action'], ms: Number(ms || 0), share: Number(share ?? 1), nth: nth === undefined ? null : Number(nth), passings: 0 };
}

function strike({ action, ms }: Point): void | Promise<void> {
  switch (action) {
    case 'kill':
      return void process.kill(process.pid, 'SIGKILL');
    case 'segfault':
      return void process.kill(process.pid, 'SIGSEGV');
    case 'stop':
      return void process.kill(process.pid, 'SIGSTOP');
    case 'exit':
      return process.exit(7);
    case 'oom':
      return hoard();
    case 'delay':
      return new Promise((resolve) => setTimeout(resolve, ms));
    case 'block':
      for (const until = performance.now() + ms; performance.now() < until; );
  }
}

/** Ends by the limit that --max-old-space-size sets. */
function hoard(): never {
  for (const kept: unknown[] = []; ; ) kept.push(Array.from({ length: 100_000 }, (_, index) => ({ index })));
}
