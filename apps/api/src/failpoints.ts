export type Failpoint = 'api:after-commit-before-send' | 'api:after-commit-before-response';

/**
 * Places at which chaos tests let the process die, as a power cut would: nothing is flushed. From `FAILPOINTS`, entries
 * `place=kill[:share]`, `share` being the chance per passing; workers read theirs from the same
 * variable, so entries of other places are passed over. Empty in production.
 */
export class Failpoints {
  readonly #shares: ReadonlyMap<string, number>;
  readonly #random: () => number;
  readonly #die: () => void;

  constructor(entries: readonly string[], random: () => number = Math.random, die: () => void = () => process.kill(process.pid, 'SIGKILL')) {
    this.#shares = new Map(entries.flatMap(entryOf));
    this.#random = random;
    this.#die = die;
  }

  reach(place: Failpoint): void {
    if (this.#shares.size === 0) return;
    const share = this.#shares.get(place);
    if (share !== undefined && this.#random() < share) this.#die();
  }
}

function entryOf(text: string): [string, number][] {
  const [, place, share] = /^(api:[\w-]+)=kill(?::([\d.]+))?$/.exec(text.trim()) ?? [];
  return place === undefined ? [] : [[place, share === undefined ? 1 : Number(share)]];
}
