import { Module, type DynamicModule } from '@nestjs/common';
import type { Env } from '@app/config';
import { DispatchModule } from '@app/dispatch';
import { Telemetry } from '@app/telemetry';

export interface WorkerFoundations {
  readonly env: Env;
  readonly telemetry: Telemetry;
  readonly report: (sentence: string) => void;
}

@Module({})
class TelemetryModule {}

/** Which queue stands behind the doorbell of a worker. */
@Module({})
export class WorkerModule {
  static on({ env, telemetry, report }: WorkerFoundations): DynamicModule {
    const provider = { provide: Telemetry, useValue: telemetry };
    return {
      module: WorkerModule,
      imports: [
        { module: TelemetryModule, global: true, providers: [provider], exports: [provider] },
        DispatchModule.forRoot({ databaseUrl: env.DATABASE_URL, redisUrl: env.REDIS_URL, queues: env.WORKER_QUEUES, report }),
      ],
    };
  }
}
