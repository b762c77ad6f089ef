import { createServer, type Server } from 'node:http';
import { eventually, sleep } from '../eventually.ts';

/** One side effect: a node of a workflow has called the outside world. */
export interface Effect {
  readonly execution: string;
  readonly node: string;
  readonly run: number;
  /** Items that the node saw. */
  readonly items: number;
  readonly at: number;
}

/** The idempotency key that a node offers: the same for every try of one activation. */
export const keyOf = ({ execution, node, run }: Pick<Effect, 'execution' | 'node' | 'run'>): string => `${execution}/${node}/${run}`;

/**
 * The outside world of the workflows under test. Appends every call and forgets none, whoever dies: what it has seen
 * is what really happened. A call is answered after the time it asks for, so that nodes can be struck while they run.
 */
export class EffectSink {
  readonly effects: Effect[] = [];
  /** Called before a call is answered; the answer waits for it. */
  whileRunning: (effect: Effect) => void | Promise<void> = () => {};
  readonly #answered = new Set<Effect>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<EffectSink> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const sink = new EffectSink(server, `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`);
    server.on('request', (request, response) => {
      const query = new URL(request.url ?? '/', sink.url).searchParams;
      const effect = { execution: query.get('execution') ?? '', node: query.get('node') ?? '', run: Number(query.get('run')), items: Number(query.get('items')), at: Date.now() };
      sink.effects.push(effect);
      request.resume();
      void sink.#answer(effect, Number(query.get('ms') ?? 0)).then(() => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ node: effect.node })));
    });
    return sink;
  }

  /** Calls that wait for their answer. */
  get inFlight(): number {
    return this.effects.length - this.#answered.size;
  }

  /** Resolves when a node has called. */
  async called(execution: string, node: string, withinMs: number): Promise<Effect> {
    return eventually(`${node} of ${execution} calls`, withinMs, () => this.effects.find((effect) => effect.execution === execution && effect.node === node), 10);
  }

  hasAnswered(effect: Effect): boolean {
    return this.#answered.has(effect);
  }

  /** How often each key was called. */
  counts(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const effect of this.effects) counts.set(keyOf(effect), (counts.get(keyOf(effect)) ?? 0) + 1);
    return counts;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async #answer(effect: Effect, ms: number): Promise<void> {
    try {
      await Promise.all([sleep(ms), this.whileRunning(effect)]);
    } finally {
      this.#answered.add(effect);
    }
  }
}
