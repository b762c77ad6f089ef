import type { ProgressEvent } from './event-stream.ts';
import { printable } from './table.ts';
import type { Terminal } from './terminal.ts';

/** One line that is written over while an execution runs; silent where nobody is watching. */
export class ProgressLine {
  #steps = 0;
  #status = 'new';
  #last = '';
  #isShown = false;

  constructor(
    private readonly terminal: Terminal,
    private readonly executionId: string,
  ) {}

  show({ name, data }: ProgressEvent): void {
    if (name === 'run') {
      this.#steps += 1;
      this.#last = `${data.node} (${sum(data.itemsByOutput)} items, ${data.executionTime} ms, ${data.worker})`;
    } else this.#status = data.status;
    if (this.terminal.columns === null) return;
    const line = printable(`execution ${this.executionId}: ${this.#status}, ${this.#steps} steps${this.#last && `, last ${this.#last}`}`);
    this.terminal.note(`\r\u001b[K${line.slice(0, this.terminal.columns - 1)}`);
    this.#isShown = true;
  }

  clear(): void {
    if (this.#isShown) this.terminal.note('\r\u001b[K');
    this.#isShown = false;
  }
}

export const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
