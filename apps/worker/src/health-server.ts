import { createServer, type Server } from 'node:http';
import { measureReady } from '@app/store';
import type { Worker } from './worker.ts';
import type { WorkerKit } from './worker-kit.ts';

/** `/livez` (`/healthz`) says the process responds, `/readyz` that it takes work, `/metrics` what it measures. */
export async function serveHealth(host: string, port: number, worker: Worker, kit: WorkerKit): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown): void => void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/healthz' || request.url === '/livez') return answer(200, { status: 'ok' });
    if (request.url === '/readyz') {
      const queue = kit.dispatch.health();
      return answer(worker.isHealthy ? 200 : 503, { status: worker.isHealthy ? 'ok' : 'not taking work', worker: kit.workerId, busy: worker.busy, free: worker.free(), queue });
    }
    if (request.url === '/metrics') return void metrics(kit).then(({ contentType, text }) => response.writeHead(200, { 'content-type': contentType }).end(text));
    return answer(404, { status: 'not found' });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return server;
}

async function metrics(kit: WorkerKit): Promise<{ readonly contentType: string; readonly text: string }> {
  await measureReady(kit.store, kit.telemetry);
  return kit.telemetry.exposition();
}
