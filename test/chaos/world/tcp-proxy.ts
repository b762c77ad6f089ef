import { connect, createServer, type Server, type Socket } from 'node:net';

interface Pair {
  readonly client: Socket;
  server: Socket | null;
  /** The answer to something that was passed on is to be lost. */
  doomed: boolean;
}

/** How long the server gets to act on what it was sent before its answer is lost: a reset could take the request along. */
const actMs = 30;

/**
 * Stands before Postgres or Redis, as a network that can fail: `cut` refuses and breaks connections, `stall` keeps
 * everything back without a word, `heal` lets what was kept back arrive.
 */
export class TcpProxy {
  readonly counts = { connections: 0, cut: 0, stalledBytes: 0, lostAnswers: 0 };
  readonly #pairs = new Set<Pair>();
  #state: 'open' | 'cut' | 'stalled' = 'open';
  #losing: { readonly pattern: RegExp; left: number } | null = null;

  private constructor(
    private readonly listener: Server,
    private readonly target: { readonly host: string; readonly port: number },
    readonly port: number,
  ) {}

  /** In front of the server of a URL. */
  static async before(url: string): Promise<TcpProxy> {
    const { hostname, port } = new URL(url);
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const address = listener.address();
    const proxy = new TcpProxy(listener, { host: hostname, port: Number(port) }, typeof address === 'object' && address ? address.port : 0);
    listener.on('connection', (client) => proxy.#accept(client));
    return proxy;
  }

  /** The same URL by way of this proxy. */
  through(url: string): string {
    const own = new URL(url);
    own.hostname = '127.0.0.1';
    own.port = String(this.port);
    return own.href;
  }

  cut(): void {
    this.#state = 'cut';
    for (const pair of this.#pairs) {
      this.counts.cut += 1;
      end(pair);
    }
  }

  stall(): void {
    this.#state = 'stalled';
    for (const { client, server } of this.#pairs) {
      client.pause();
      server?.pause();
    }
  }

  heal(): void {
    this.#state = 'open';
    for (const pair of this.#pairs) {
      if (!pair.server) this.#join(pair);
      else {
        this.counts.stalledBytes += pair.client.readableLength + pair.server.readableLength;
        pair.client.resume();
        pair.server.resume();
      }
    }
  }

  /** Lets the next requests that match through and loses their answers: the outcome stays unknown to who asked. */
  loseAnswers(pattern: RegExp, count: number): void {
    this.#losing = { pattern, left: count };
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.listener.close(resolve));
  }

  #accept(client: Socket): void {
    const pair: Pair = { client, server: null, doomed: false };
    client.on('error', () => end(pair));
    if (this.#state === 'cut') return void client.destroy();
    this.counts.connections += 1;
    this.#pairs.add(pair);
    client.on('close', () => {
      this.#pairs.delete(pair);
      end(pair);
    });
    client.pause();
    if (this.#state === 'open') this.#join(pair);
  }

  #join(pair: Pair): void {
    const server = connect(this.target);
    pair.server = server;
    server.setNoDelay(true);
    pair.client.setNoDelay(true);
    server.on('error', () => end(pair));
    server.on('close', () => end(pair));
    pair.client.on('data', (chunk) => {
      if (this.#losing && this.#losing.left > 0 && this.#losing.pattern.test(chunk.toString('latin1'))) {
        this.#losing.left -= 1;
        pair.doomed = true;
      }
      if (!server.write(chunk)) pair.client.pause();
    });
    server.on('drain', () => this.#state !== 'stalled' && pair.client.resume());
    server.on('data', (chunk) => {
      if (pair.doomed) return this.#lose(pair);
      if (!pair.client.write(chunk)) server.pause();
    });
    pair.client.on('drain', () => this.#state !== 'stalled' && server.resume());
    if (this.#state !== 'stalled') pair.client.resume();
  }

  #lose(pair: Pair): void {
    if (pair.client.destroyed) return;
    this.counts.lostAnswers += 1;
    pair.client.destroy();
    const { server } = pair;
    pair.server = null;
    setTimeout(() => server?.destroy(), actMs);
  }
}

function end({ client, server }: Pair): void {
  client.destroy();
  server?.destroy();
}
