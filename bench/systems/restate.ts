import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../../test/support/fleet-process.ts';
import { HttpLoad, inParallel, timed } from '../load.ts';
import { PeerProcess } from './peer-process.ts';
import type { System } from './system.ts';

/** Where npm puts the server's binary. */
const binary = resolve(`bench/peers/node_modules/@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`);

/** A Restate server with its own durable store, as it comes, and a service behind it. Clients go to its ingress. */
export async function startRestate(): Promise<System> {
  const home = await mkdtemp(join(tmpdir(), 'argosy-bench-restate-'));
  const [servicePort, ingressPort, adminPort, nodePort] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const service = await PeerProcess.start(process.execPath, ['restate/app.mjs'], { PORT: String(servicePort) }, (output) => output.includes('listening'));
  const env = {
    RESTATE_LISTEN_MODE: 'tcp',
    RESTATE_BIND_ADDRESS: `127.0.0.1:${nodePort}`,
    RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${nodePort}`,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingressPort}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${adminPort}`,
    RESTATE_DISABLE_TELEMETRY: 'true',
    RESTATE_LOG_FILTER: 'warn',
  };
  const admin = new HttpLoad(`http://127.0.0.1:${adminPort}`);
  const server = await PeerProcess.start(binary, ['--no-logo', '--node-name', 'bench', '--base-dir', home], env, () => register(admin, servicePort));
  const http = new HttpLoad(`http://127.0.0.1:${ingressPort}`);
  const run = (): Promise<unknown> => http.request('POST', '/chain10/run', '{"n":0}');
  return {
    name: 'restate',
    concurrency: 100,
    runSize: 1_000,
    throughput: (count, concurrency) => timed(() => inParallel(count, concurrency, run)),
    latency: () => timed(run),
    stop: async () => {
      await Promise.all([http.close(), admin.close()]);
      await Promise.all([server.stop(), service.stop()]);
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Tells the server where the service is; it can only once it has a cluster with a leader. */
async function register(admin: HttpLoad, servicePort: number): Promise<boolean> {
  const deployment = JSON.stringify({ uri: `http://127.0.0.1:${servicePort}`, use_http_11: false });
  return admin.request('POST', '/deployments', deployment).then(() => true, () => false);
}
