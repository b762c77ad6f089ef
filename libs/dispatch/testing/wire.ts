import { createServer, connect, type Server, type Socket } from 'node:net';

/** A TCP line between a client and a server that tests can cut or freeze. */
export class Wire {
  readonly #target: { host: string; port: number };
  readonly #open = new Set<Socket>();
  #server: Server | null = null;
  #port = 0;

  private constructor(target: { host: string; port: number }) {
    this.#target = target;
  }

  static async to(url: string): Promise<Wire> {
    const { hostname, port, protocol } = new URL(url);
    const wire = new Wire({ host: hostname, port: Number(port) || (protocol === 'redis:' ? 6379 : 5432) });
    await wire.restore();
    return wire;
  }

  /** The same address, reached through this line. */
  through(url: string): string {
    const changed = new URL(url);
    changed.hostname = '127.0.0.1';
    changed.port = String(this.#port);
    return changed.toString();
  }

  /** Ends all connections and refuses new ones: the server is down. */
  async cut(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    const closed = new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
    for (const socket of this.#open) socket.destroy();
    await closed;
  }

  async restore(): Promise<void> {
    if (this.#server) return;
    const server = createServer((near) => this.#join(near));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as { port: number }).port;
  }

  /** Existing connections stay open and carry nothing any more, as after a fail-over; new ones work. */
  freeze(): void {
    for (const socket of this.#open) {
      socket.unpipe();
      socket.removeAllListeners('data');
      socket.resume();
    }
  }

  #join(near: Socket): void {
    const far = connect(this.#target);
    for (const [one, other] of [[near, far], [far, near]] as const) {
      this.#open.add(one);
      one.setNoDelay(true);
      one.pipe(other);
      one.on('error', () => one.destroy());
      one.on('close', () => (this.#open.delete(one), other.destroy()));
    }
  }
}
