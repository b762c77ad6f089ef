export type Failpoint = 'api:after-commit-before-send' | 'api:after-commit-before-response';

/** Places at which chaos tests let the process die, as a power cut would: nothing is flushed. Empty in production. */
export class Failpoints {
  readonly #armed: ReadonlySet<string>;

  constructor(names: readonly string[] = []) {
    this.#armed = new Set(names);
  }

  reach(name: Failpoint): void {
    if (this.#armed.size > 0 && this.#armed.has(name)) process.kill(process.pid, 'SIGKILL');
  }
}
