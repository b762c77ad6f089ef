import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { NestFactory } from '@nestjs/core';
import type { LoggerService } from '@nestjs/common';
import type { Env } from '@app/config';
import { Dispatch } from '@app/dispatch';
import { catalogue } from '@app/nodes';
import { assertSchemaCurrent, PostgresStore } from '@app/store';
import { startTelemetry } from '@app/telemetry';
import { createKit } from './create-kit.ts';
import { failpoints } from './failpoints.ts';
import { serveHealth } from './health-server.ts';
import { Worker } from './worker.ts';
import { WorkerModule } from './worker.module.ts';

const VERSION = '0.1.0';
/** Beside dist/, in a checkout and in the image. */
const MIGRATIONS = new URL('../prisma/migrations', import.meta.url).pathname;

/** As long as commits wait for a database that is gone. */
const READ_PATIENCE_MS = 20_000;

/** Starts a worker: everything that could fail later is tried before the first claim. SIGTERM drains it. */
export async function startWorker(env: Env, environment: NodeJS.ProcessEnv, logger: LoggerService): Promise<void> {
  const workerId = env.WORKER_ID ?? `${hostname()}-${process.pid}`;
  const report = (what: string, error: unknown) => logger.warn(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  const telemetry = startTelemetry({ role: 'worker', instanceId: workerId, version: VERSION, endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT, sampleRatio: env.OTEL_TRACES_SAMPLER_ARG });
  await assertSchemaCurrent(env.DATABASE_URL, MIGRATIONS);
  const store = new PostgresStore({ databaseUrl: env.DATABASE_URL, poolSize: env.DATABASE_POOL_SIZE, commitBatchSize: env.COMMIT_BATCH_SIZE, commitsInFlight: env.COMMIT_LANES, readPatienceMs: READ_PATIENCE_MS, telemetry });
  const app = await NestFactory.createApplicationContext(WorkerModule.on({ env, telemetry, report: (sentence) => logger.warn(sentence) }), { logger });
  const dispatch = app.get(Dispatch);
  const kit = createKit({
    workerId,
    store,
    dispatch,
    nodes: catalogue(),
    telemetry,
    report,
    guestSource: await readFile(new URL('./sandbox-guest.js', import.meta.url), 'utf8'),
    failpoint: failpoints(env.FAILPOINTS),
    sandbox: { memoryMb: env.SANDBOX_MEMORY_MB, timeoutMs: env.SANDBOX_TIMEOUT_MS, poolSize: env.SANDBOX_POOL_SIZE },
    settings: {
      leaseMs: env.LEASE_SECONDS * 1000,
      continueLimit: env.CONTINUE_LIMIT,
      continueMs: env.CONTINUE_MS,
      nodeDeadlineMs: env.NODE_DEADLINE_MS,
      maxFamily: env.MAX_CALLED_EXECUTIONS,
      timezone: env.GENERIC_TIMEZONE,
      tracing: env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
      env: env.EXPRESSION_ENV.length > 0 ? Object.fromEntries(env.EXPRESSION_ENV.map((name) => [name, environment[name] ?? ''])) : null,
      baseUrl: env.ARGOSY_URL ?? `http://${env.HOST}:${env.PORT}`,
    },
  });
  const worker = new Worker(kit, {
    slots: env.WORKER_SLOTS,
    queues: env.WORKER_QUEUES,
    pollMs: env.POLL_INTERVAL_MS,
    idlePollMs: env.IDLE_POLL_INTERVAL_MS,
    graceMs: env.SHUTDOWN_GRACE_MS,
    sweep: { intervalMs: env.SWEEP_INTERVAL_MS, limit: env.SWEEP_LIMIT, maxLosses: env.MAX_LOSSES, announceAfterMs: env.ANNOUNCE_AFTER_MS },
  });
  const health = env.WORKER_HEALTH_PORT === undefined ? null : await serveHealth(env.HOST, env.WORKER_HEALTH_PORT, worker, kit);
  worker.start();
  logger.log(`ready ${workerId}`);

  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await worker.stop();
    health?.close();
    await app.close();
    await store.close();
    kit.sandbox.dispose();
    await telemetry.stop();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
}
