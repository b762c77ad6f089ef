import { Module, type BeforeApplicationShutdown, type DynamicModule } from '@nestjs/common';
import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { createPostgresBackend, setDefaultBackendFactory } from 'bullmq';
import { Telemetry } from '@app/telemetry';
import { defaultQueue } from './activation-ref.ts';
import { eventsKept, type AnyQueue } from './bullmq/backend.ts';
import { BullmqDispatch } from './bullmq/bullmq-dispatch.ts';
import { postgresBackend, postgresConnection } from './bullmq/postgres-backend.ts';
import { redisBackend, redisPrefix, redisSendConnection } from './bullmq/redis-backend.ts';
import { Dispatch } from './dispatch.ts';

export interface DispatchModuleOptions {
  databaseUrl: string;
  /** Absent: BullMQ keeps its messages in the database, one server fewer to run. */
  redisUrl?: string | undefined;
  queues?: readonly string[];
  report?: (sentence: string) => void;
}

/** Puts a Dispatch behind the port, with the queues that Nest made; stops it before the application closes them. */
@Module({})
export class DispatchModule implements BeforeApplicationShutdown {
  readonly #dispatch: Dispatch;

  constructor(dispatch: Dispatch) {
    this.#dispatch = dispatch;
  }

  static forRoot({ databaseUrl, redisUrl, queues = [defaultQueue], report }: DispatchModuleOptions): DynamicModule {
    // Nest's module offers no way to name a backend for its queues, so the process-wide default is the way in.
    if (!redisUrl) setDefaultBackendFactory(createPostgresBackend);
    const shared = redisUrl ? { connection: redisSendConnection(redisUrl), prefix: redisPrefix } : { connection: postgresConnection(databaseUrl, 3) as object };
    return {
      module: DispatchModule,
      global: true,
      imports: [BullModule.forRoot({ ...shared, ...eventsKept }), BullModule.registerQueue(...queues.map((name) => ({ name })))],
      providers: [
        {
          provide: Dispatch,
          inject: [{ token: Telemetry, optional: true }, ...queues.map((name) => getQueueToken(name))],
          useFactory: (telemetry: Telemetry | undefined, ...made: AnyQueue[]) =>
            new BullmqDispatch({ backend: redisUrl ? redisBackend(redisUrl) : postgresBackend(databaseUrl), queues: made, telemetry, report }),
        },
      ],
      exports: [Dispatch, BullModule],
    };
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#dispatch.stop();
  }
}
