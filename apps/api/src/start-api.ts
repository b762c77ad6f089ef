import { hostname } from 'node:os';
import { join } from 'node:path';
import type { LoggerService } from '@nestjs/common';
import type { Env } from '@app/config';
import { n8n } from '@app/dialects';
import { DispatchModule } from '@app/dispatch';
import { catalogue } from '@app/nodes';
import { assertSchemaCurrent, PostgresStore } from '@app/store';
import { startTelemetry } from '@app/telemetry';
import { ApiKeys } from './access/api-keys.ts';
import { isLoopbackAddress } from './access/authenticate.ts';
import { createApi } from './create-api.ts';
import { Dialects } from './dialects.ts';
import { Failpoints } from './failpoints.ts';
import { HealthService } from './health/health.service.ts';

const VERSION = '0.1.0';
/** Beside dist/, in a checkout and in the image. */
const migrationsFolder = join(import.meta.dirname, '..', 'prisma', 'migrations');

/** Starts the API: whatever could fail later is tried before the first request. SIGTERM drains it. */
export async function startApi(env: Env, logger: LoggerService): Promise<void> {
  await assertSchemaCurrent(env.DATABASE_URL, migrationsFolder);
  const telemetry = startTelemetry({
    role: 'main',
    instanceId: `${hostname()}-${process.pid}`,
    version: VERSION,
    endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    sampleRatio: env.OTEL_TRACES_SAMPLER_ARG,
  });
  const store = new PostgresStore({ databaseUrl: env.DATABASE_URL, poolSize: env.DATABASE_POOL_SIZE, commitBatchSize: env.COMMIT_BATCH_SIZE, telemetry });
  const keys = new ApiKeys({ bootstrap: env.ARGOSY_API_KEY === undefined ? [] : [env.ARGOSY_API_KEY], stored: store.apiKeys });
  await refuseToBeOpen(env, keys, logger);
  const app = await createApi({
    store,
    dispatch: DispatchModule.forRoot({ databaseUrl: env.DATABASE_URL, redisUrl: env.REDIS_URL, report: (sentence) => logger.warn(sentence) }),
    telemetry,
    nodes: catalogue(),
    dialects: new Dialects([n8n]),
    limits: { bodyBytes: env.BODY_LIMIT_BYTES, items: env.ITEM_LIMIT, depth: env.DEPTH_LIMIT },
    failpoints: new Failpoints(env.FAILPOINTS),
    keys,
    logger,
  });
  await app.listen(env.PORT, env.HOST);
  logger.log(`ready ${await app.getUrl()}`);

  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    app.get(HealthService).drain();
    setTimeout(() => process.exit(1), env.SHUTDOWN_GRACE_MS).unref();
    await app.close();
    await store.close();
    await telemetry.stop();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
}

/** Keys are never removed, so what needs one at the start needs one until the end. */
async function refuseToBeOpen({ HOST }: Env, keys: ApiKeys, logger: LoggerService): Promise<void> {
  if (await keys.areRequired()) return;
  if (!isLoopbackAddress(HOST))
    throw new Error(`The API would be open to everybody on ${HOST}. Make a key with "argosy api-key create", or set ARGOSY_API_KEY to at least 16 characters, or HOST to 127.0.0.1.`);
  logger.warn('There is no API key: the API is open to everybody on this machine, and to nobody else, until the first one is made.');
}
