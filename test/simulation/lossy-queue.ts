import type { Random } from '@app/engine/testing/random.ts';
import type { ReadyActivation } from '@app/store';

interface Message {
  readonly id: string;
  readonly dueAt: number;
}

/** A queue as bad as one may be: it loses, doubles, delays and reorders messages. It never invents any. */
export class LossyQueue {
  private messages: Message[] = [];
  reliable = false;

  constructor(
    private readonly random: Random,
    private readonly now: () => number,
  ) {}

  send(ready: readonly ReadyActivation[]): void {
    for (const { id } of ready) {
      if (this.reliable) this.messages.push({ id, dueAt: this.now() });
      else if (this.random.chance(0.8)) for (let copies = this.random.pick([1, 1, 1, 2, 4]); copies > 0; copies--) this.messages.push({ id, dueAt: this.now() + this.random.pick([0, 0, 5, 50, 400]) });
    }
  }

  /** Any message that is due; it may be delivered once more. */
  take(): string | undefined {
    const due = this.messages.filter((message) => message.dueAt <= this.now());
    if (due.length === 0) return undefined;
    const message = this.random.pick(due);
    if (this.reliable || this.random.chance(0.85)) this.messages.splice(this.messages.indexOf(message), 1);
    return message.id;
  }

  /** The whole queue is lost. */
  flush(): void {
    this.messages = [];
  }
}
