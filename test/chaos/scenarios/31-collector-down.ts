import { readFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { freePort } from '../../support/fleet-process.ts';
import { eventually } from '../eventually.ts';
import type { Scenario } from '../scenario.ts';
import { Stage } from '../stage.ts';
import { order } from '../workflows.ts';

const mostMemoryMb = 400;
/** Times the duration of the same load without a collector: tracing itself costs something, waiting for it must not. */
const mostSlowdown = 2;

/** An export that gets no answer is given up after a while, with retries in between. */
const patienceMs = 20_000;

/** Three collectors in turn: none, one that answers nothing, one that refuses everything. */
export const collectorDown: Scenario = {
  number: 31,
  title: 'telemetry collector down, silent, refusing',
  run: async (context) => {
    const silent = await silentServer();
    const refusing = await silentServer('HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n');
    const down = `http://127.0.0.1:${await freePort()}`;
    const endpoints = [down, silent.url, refusing.url];
    try {
      return await Stage.run(context, { workers: 1, env: { SHUTDOWN_GRACE_MS: '3000' } }, async (stage) => {
        const timed = async (executions: number, key: string): Promise<number> => {
          const begun = Date.now();
          await stage.starter.start(workflow, key, executions, 500);
          await stage.settle();
          return Date.now() - begun;
        };
        const workflow = await stage.publish(order(stage.sink.url));
        const part = Math.ceil(context.executions / 4);
        await timed(2, 'warm');
        const undisturbed = await timed(part, 'none');
        let dropped = 0;
        for (const [index, endpoint] of endpoints.entries()) {
          const before = stage.crew.members[0]!;
          const member = await stage.crew.hireWith({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
          stage.crew.retire(before);
          await before.process.stop();
          await timed(2, `warm-${index}`);
          const ms = await timed(part, `collector-${index}`);
          stage.verdict.expect(ms <= undisturbed * mostSlowdown + 1_000, `The load took ${ms} ms with the collector ${endpoint}, and ${undisturbed} ms without one.`);
          const memory = await residentMb(member.process.pid);
          stage.verdict.expect(memory <= mostMemoryMb, `The worker holds ${memory} MB with the collector ${endpoint}.`);
          dropped += await eventually('spans are dropped', patienceMs, () => stage.crew.total('spans_dropped_total'), 250).catch(() => 0);
        }
        stage.verdict.struck('connections to the silent collector', silent.connections());
        stage.verdict.struck('connections to the refusing collector', refusing.connections());
        stage.verdict.struck('spans dropped and counted', dropped, endpoints.length);
        stage.verdict.expect(stage.crew.deaths.length === 0, 'A worker died for want of a collector.');
      });
    } finally {
      silent.stop();
      refusing.stop();
    }
  },
};

/** Takes connections and answers nothing, or the same to everything. */
async function silentServer(answer?: string): Promise<{ url: string; connections(): number; stop(): void }> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', () => answer !== undefined && socket.write(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    connections: () => connections,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
