import { createDatabase } from '../../test/support/database.ts';
import { freePort } from '../../test/support/fleet-process.ts';
import { HttpLoad, inParallel, timed } from '../load.ts';
import { PeerProcess } from './peer-process.ts';
import type { System } from './system.ts';

/** DBOS Transact behind HTTP, on a database of its own of the same server. The answer carries the workflow's result. */
export async function startDbos(): Promise<System> {
  const database = await createDatabase();
  const port = await freePort();
  const app = await PeerProcess.start(process.execPath, ['dbos/app.mjs'], { PORT: String(port), DATABASE_URL: database.url, POOL_SIZE: '20' }, (output) => output.includes('listening'));
  const http = new HttpLoad(`http://127.0.0.1:${port}`);
  const run = (): Promise<unknown> => http.request('POST', '/run', '{"n":0}');
  return {
    name: 'dbos',
    concurrency: 40,
    runSize: 400,
    throughput: (count, concurrency) => timed(() => inParallel(count, concurrency, run)),
    latency: () => timed(run),
    stop: async () => {
      await http.close();
      await app.stop();
      await database.drop();
    },
  };
}
