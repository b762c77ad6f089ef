import { spawn, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { Redis } from 'ioredis';
import { freePort } from '../../support/fleet-process.ts';
import { eventually } from '../eventually.ts';

/** A Redis of the scenario's own that keeps nothing on disk: killed, it comes back empty. */
export class OwnRedis {
  #process: ChildProcess | null = null;
  #client: Redis | null = null;

  private constructor(private readonly port: number) {}

  static async start(): Promise<OwnRedis> {
    const redis = new OwnRedis(await freePort());
    await redis.restart();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get client(): Redis {
    return (this.#client ??= this.#connect());
  }

  /** Messages that wait or are being looked at. */
  async messages(): Promise<number> {
    const key = (state: string): string => `argosy:default:${state}`;
    const [waiting, prioritized, active] = await Promise.all([this.client.llen(key('wait')), this.client.zcard(key('prioritized')), this.client.llen(key('active'))]);
    return waiting + prioritized + active;
  }

  /** SIGKILL, as a lost container: what it held is gone. */
  async kill(): Promise<void> {
    this.#client?.disconnect();
    this.#client = null;
    const process = this.#process;
    this.#process = null;
    if (!process || process.exitCode !== null || process.signalCode !== null) return;
    const gone = new Promise((resolve) => process.once('exit', resolve));
    process.kill('SIGKILL');
    await gone;
  }

  async restart(): Promise<void> {
    const options = ['--bind', '127.0.0.1', '--port', String(this.port), '--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction', '--dir', tmpdir()];
    const child = spawn('redis-server', options, { stdio: 'ignore' });
    this.#process = child;
    let failure: Error | null = null;
    child.once('error', (error) => (failure = new Error(`redis-server cannot be started (${error.message}). Chaos scenarios kill and fill a Redis of their own; install redis-server.`)));
    await eventually('redis-server answers', 10_000, async () => {
      if (failure) throw failure;
      return (await this.client.ping().catch(() => '')) === 'PONG';
    });
  }

  #connect(): Redis {
    const client = new Redis(this.url, { maxRetriesPerRequest: 0, retryStrategy: () => 50, connectTimeout: 500 });
    client.on('error', () => {});
    return client;
  }
}
