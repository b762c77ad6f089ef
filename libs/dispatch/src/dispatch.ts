import type { ActivationRef } from './activation-ref.ts';

/**
 * Looks at what the bell announced, typically by claiming those activations in Postgres. Resolves as soon as that was
 * attempted: the message lives no longer, however long the activations then run. If it rejects, the references come
 * again after a while, here or elsewhere.
 */
export type Receiver = (refs: readonly ActivationRef[]) => Promise<void>;

export interface ReceiveOptions {
  /** Which queues to listen on; one reference may come from any of them. Default: `default`. */
  readonly queues?: readonly string[];
  /**
   * How many more activations could start now. References whose receiver has not resolved yet are counted by the
   * dispatch itself; afterwards they must show here, as far as they became running activations.
   */
  free(): number;
}

export interface Reception {
  /** `free()` may have grown: look again now rather than at the next occasion. Cheap; call it whenever a slot opens. */
  refill(): void;
  /** Takes no further reference, and resolves when the receiver has dealt with those it was given. */
  stop(): Promise<void>;
}

export interface DispatchHealth {
  readonly status: 'ok' | 'degraded';
  /** What is wrong and what to do about it, one sentence each. Empty when all is well. */
  readonly problems: readonly string[];
  readonly sent: number;
  /** References that the queue did not take. They are not lost: the sweeper announces them again. */
  readonly failedSends: number;
  readonly received: number;
  readonly consumersRecreated: number;
}

/**
 * The doorbell between processes. A message only says "look at this activation": it may be lost, doubled, late, out of
 * order, or about something that is long done. Postgres knows better, and the sweeper rings again for what was missed.
 */
export abstract class Dispatch {
  /**
   * Announces activations, as one bulk insertion together with whatever else is sent in the same turn of the event
   * loop. Best effort: resolves within about a second and never rejects, also when the queue is away.
   */
  abstract send(refs: readonly ActivationRef[]): Promise<void>;

  /** Starts to listen. Takes at most as many references as there are free slots. */
  abstract receive(receiver: Receiver, options: ReceiveOptions): Reception;

  /** How many references wait in a queue; null when it cannot be asked right now. */
  abstract depth(queue: string): Promise<number | null>;

  abstract health(): DispatchHealth;

  /** Stops every reception, hands over what is still being sent, closes the connections. */
  abstract stop(): Promise<void>;
}
