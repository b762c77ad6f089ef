import { SilentTelemetry, type Telemetry } from '@app/telemetry';
import { defaultQueue, type ActivationRef } from '../activation-ref.ts';
import { Dispatch, type DispatchHealth, type Receiver, type ReceiveOptions, type Reception } from '../dispatch.ts';
import { Room } from '../room.ts';
import { within } from '../within.ts';
import type { AnyQueue, BullmqBackend, WorkerTiming } from './backend.ts';
import { Consumer } from './consumer.ts';
import { Puller } from './puller.ts';
import { Sender } from './sender.ts';

export interface BullmqDispatchOptions {
  backend: BullmqBackend;
  /** Queues that somebody else made and closes, such as Nest's; others are opened when first used. */
  queues?: readonly AnyQueue[];
  telemetry?: Telemetry;
  /** Is told in one sentence what went wrong or well again; never twice in a row the same. */
  report?: (sentence: string) => void;
  timing?: Partial<DispatchTiming>;
}

export interface DispatchTiming extends WorkerTiming {
  readonly sendMs: number;
  readonly silenceMs: number;
}

/**
 * A message lives for one claim, milliseconds; ten seconds of lock outlast a database fail-over, and a message whose
 * receiver vanished is back after 10 to 20 s. The sweeper usually mends that sooner.
 */
const ordinaryTiming: DispatchTiming = { lockMs: 10_000, abandonedCheckMs: 10_000, blockMs: 5_000, sendMs: 1_000, silenceMs: 10_000 };

/** For this long after a failure the queue counts as degraded. */
const recentMs = 5_000;

export class BullmqDispatch extends Dispatch {
  readonly #backend: BullmqBackend;
  readonly #timing: DispatchTiming;
  readonly #telemetry: Telemetry;
  readonly #report: (sentence: string) => void;
  readonly #given: ReadonlyMap<string, AnyQueue>;
  readonly #senders = new Map<string, Sender>();
  readonly #receptions = new Set<Reception>();
  readonly #counts = { sent: 0, failedSends: 0, received: 0, consumersRecreated: 0 };
  #misconfiguration: readonly string[] = [];
  #lastTrouble: { sentence: string; at: number } | null = null;
  #lastReport = '';

  constructor({ backend, queues = [], telemetry = new SilentTelemetry(), report = () => {}, timing = {} }: BullmqDispatchOptions) {
    super();
    this.#backend = backend;
    this.#timing = { ...ordinaryTiming, ...timing };
    this.#telemetry = telemetry;
    this.#report = report;
    this.#given = new Map(queues.map((queue) => [queue.name, queue]));
    void this.#checkConfiguration();
  }

  async send(refs: readonly ActivationRef[]): Promise<void> {
    const queues = new Set(refs.map(({ queue }) => queue));
    await Promise.all([...queues].map((queue) => this.#sender(queue).send(refs.filter((ref) => ref.queue === queue))));
  }

  receive(receiver: Receiver, { queues = [defaultQueue], free }: ReceiveOptions): Reception {
    const room = new Room(free);
    const pullers = queues.map((queue) => this.#newPuller(queue, room, receiver));
    const reception: Reception = {
      refill: () => room.wake(),
      stop: async () => {
        room.close();
        await Promise.all(pullers.map((puller) => puller.stop()));
        this.#receptions.delete(reception);
      },
    };
    this.#receptions.add(reception);
    return reception;
  }

  async depth(queue: string): Promise<number | null> {
    const counting = this.#sender(queue).queue.getJobCountByTypes('wait', 'prioritized');
    return await within(this.#timing.sendMs, 'Counting the queue', counting).catch(() => null);
  }

  health(): DispatchHealth {
    const trouble = this.#lastTrouble && performance.now() - this.#lastTrouble.at < recentMs ? [this.#lastTrouble.sentence] : [];
    return { status: trouble.length > 0 ? 'degraded' : 'ok', problems: [...trouble, ...this.#misconfiguration], ...this.#counts };
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#receptions].map((reception) => reception.stop()));
    await Promise.all([...this.#senders.values()].map((sender) => sender.stop()));
  }

  #sender(queue: string): Sender {
    const known = this.#senders.get(queue);
    if (known) return known;
    const sender = new Sender({
      open: () => this.#backend.openQueue(queue),
      first: this.#given.get(queue),
      timeoutMs: this.#timing.sendMs,
      bulkFrom: this.#backend.bulkFrom,
      onSent: (count, seconds) => {
        this.#counts.sent += count;
        this.#telemetry.count('dispatch_sent_total', count);
        this.#telemetry.observe('dispatch_send_seconds', seconds);
        if (this.#lastReport !== '') this.#say('The queue takes announcements again.');
        this.#lastReport = '';
      },
      onFailed: (count, error) => {
        this.#counts.failedSends += count;
        this.#telemetry.count('dispatch_send_failures_total', count);
        this.#trouble(`The queue (${this.#backend.kind}) took no announcements: ${error.message}. The sweeper repeats them; is the server up?`);
      },
    });
    this.#senders.set(queue, sender);
    return sender;
  }

  #newPuller(queue: string, room: Room, receiver: Receiver): Puller {
    return new Puller({
      queue,
      room,
      receiver,
      openConsumer: () => new Consumer(this.#backend.openWorker(queue, this.#timing), queue),
      silenceMs: this.#timing.silenceMs,
      onReceived: (count) => {
        this.#counts.received += count;
        this.#telemetry.count('dispatch_received_total', count);
      },
      onRecreated: (reason, error) => {
        this.#counts.consumersRecreated += 1;
        this.#telemetry.count('dispatch_consumers_recreated_total', 1, { reason });
        this.#trouble(
          reason === 'silent'
            ? `The consumer of queue "${queue}" heard nothing for ${this.#timing.silenceMs} ms although messages wait; it was replaced.`
            : `The consumer of queue "${queue}" failed and was replaced: ${error?.message}.`,
        );
      },
      onReceiverFailed: (error) => this.#trouble(`Announced activations could not be claimed and come again: ${error.message}.`),
    });
  }

  async #checkConfiguration(): Promise<void> {
    this.#misconfiguration = await this.#backend.findMisconfiguration();
    for (const sentence of this.#misconfiguration) this.#report(sentence);
  }

  #trouble(sentence: string): void {
    this.#lastTrouble = { sentence, at: performance.now() };
    this.#say(sentence);
  }

  #say(sentence: string): void {
    if (sentence !== this.#lastReport) this.#report(sentence);
    this.#lastReport = sentence;
  }
}
