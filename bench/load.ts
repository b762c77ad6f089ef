import { Pool } from 'undici';

/** A client that keeps its connections, for one address. Requests never wait for each other on a connection. */
export class HttpLoad {
  private readonly pool: Pool;

  constructor(
    origin: string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {
    this.pool = new Pool(origin, { connections: 512, pipelining: 1, headersTimeout: 120_000, bodyTimeout: 120_000 });
  }

  /** The answer as JSON; anything but a success throws with what the server said. */
  async request<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: string): Promise<T> {
    const { statusCode, body: answer } = await this.pool.request({ method, path, headers: body === undefined ? this.headers : { ...this.headers, 'content-type': 'application/json' }, ...(body !== undefined && { body }) });
    const text = await answer.text();
    if (statusCode >= 300) throw new Error(`${method} ${path} was answered with ${statusCode}: ${text.slice(0, 500)}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  }

  async close(): Promise<void> {
    await this.pool.close();
  }
}

/** Runs `count` tasks, at most `concurrency` of them at a time; the first failure stops the rest. */
export async function inParallel(count: number, concurrency: number, task: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  let failed = false;
  const lane = async (): Promise<void> => {
    while (next < count && !failed) {
      await task(next++).catch((error: unknown) => {
        failed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, lane));
}

/** Milliseconds that a piece of work took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new Error('There is no percentile of nothing.');
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);
