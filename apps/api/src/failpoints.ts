export type Failpoint = 'api:after-commit-before-send' | 'api:after-commit-before-response';

/**
 * Places at which chaos tests let the process die, as a power cut would: nothing is flushed. From `FAILPOINTS`, entries
 * `place=kill[:share][@nth]`, `share` being the chance per passing and `nth` the only passing that counts; workers read
 * theirs from the same variable, so entries of other places are passed over. Empty in production.
 */
export class Failpoints {
  readonly #points: ReadonlyMap<string, Point>;
  readonly #random: () => number;
  readonly #die: () => void;

  constructor(entries: readonly string[], random: () => number = Math.random, die: () => void = () => process.kill(process.pid, 'SIGKILL')) {
    this.#points = new Map(entries.flatMap(entryOf));
    this.#random = random;
    this.#die = die;
  }

  reach(place: Failpoint): void {
    const point = this.#points.get(place);
    if (!point) return;
    point.passings += 1;
    if ((point.nth === null || point.passings === point.nth) && this.#random() < point.share) this.#die();
  }
}

interface Point {
  readonly share: number;
  readonly nth: number | null;
  passings: number;
}

function entryOf(text: string): [string, Point][] {
  const [, place, share, nth] = /^(api:[\w-]+)=kill(?::([\d.]+))?(?:@(\d+))?$/.exec(text.trim()) ?? [];
  return place === undefined ? [] : [[place, { share: Number(share ?? 1), nth: nth === undefined ? null : Number(nth), passings: 0 }]];
}
