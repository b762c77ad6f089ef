import { access } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { TestCase } from './test-case.ts';

export const HTTP_SERVER = 'http-server';

/** The address stands in the cases. */
const PORT = 18_099;
const START_MS = 10_000;

/** The HTTP server that cases talk to: started by the first one that needs it, and emptied for each. */
export class CaseServer {
  private running: Promise<Worker> | null = null;

  /** Resolves when the server answers and remembers nothing. A case without such a need starts nothing. */
  async prepare(testCase: TestCase): Promise<void> {
    if (!testCase.needs?.includes(HTTP_SERVER)) return;
    this.running ??= serverFor(testCase).then(start);
    await this.running;
    const answer = await fetch(`http://127.0.0.1:${PORT}/reset`);
    if (!answer.ok) throw new Error(`The server of the cases answered ${answer.status} to /reset.`);
  }

  async stop(): Promise<void> {
    const server = await this.running?.catch(() => null);
    this.running = null;
    await server?.terminate();
  }
}

/** A thread and not a process: it cannot outlive a run that is killed, and with it keep the port. */
async function start(script: string): Promise<Worker> {
  const server = new Worker(script, { argv: [String(PORT)], stdout: true });
  server.unref();
  try {
    await new Promise<void>((ready, failed) => {
      const timer = setTimeout(() => failed(new Error(`${script} did not listen within ${START_MS / 1000} s.`)), START_MS);
      server.stdout.once('data', () => (clearTimeout(timer), ready()));
      server.once('error', (error) => (clearTimeout(timer), failed(new Error(`${script} does not start; is another run under way that holds port ${PORT}? ${error.message}`, { cause: error }))));
    });
  } catch (error) {
    await server.terminate();
    throw error;
  }
  return server;
}

/** Beside the case, else in the folder of the HTTP cases of the same collection, else in our own. */
async function serverFor({ name, file }: TestCase): Promise<string> {
  const folders = [dirname(file)];
  while (folders.at(-1) !== dirname(folders.at(-1)!)) folders.push(dirname(folders.at(-1)!));
  const own = resolve('test/conformance/n8n/nodes/httpRequest/server.mjs');
  const places = [join(folders[0]!, 'server.mjs'), ...folders.map((folder) => join(folder, 'nodes/httpRequest/server.mjs')), own];
  for (const place of places) if (await access(place).then(() => true, () => false)) return place;
  throw new Error(`${name} needs the HTTP server of the cases, but there is no server.mjs beside it and no ${own}.`);
}
