import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { Dispatch } from '@app/dispatch';
import { NodeCatalogue } from '@app/nodes';
import { Store } from '@app/store';
import { Telemetry } from '@app/telemetry';
import { Dialects } from './dialects.ts';
import { ExecutionReader } from './executions/execution-reader.ts';
import { ExecutionsController } from './executions/executions.controller.ts';
import { ExecutionsService } from './executions/executions.service.ts';
import { ProgressService } from './executions/progress.service.ts';
import { RetriesService } from './executions/retries.service.ts';
import { RunnableVersions } from './executions/runnable-versions.ts';
import { StartsController } from './executions/starts.controller.ts';
import { StartsService } from './executions/starts.service.ts';
import { Failpoints } from './failpoints.ts';
import { HealthController } from './health/health.controller.ts';
import { HealthService } from './health/health.service.ts';
import { RequestLimits } from './limits/request-limits.ts';
import { ProblemFilter } from './problems/problem.filter.ts';
import { WorkflowLookup } from './workflows/workflow-lookup.ts';
import { WorkflowsController } from './workflows/workflows.controller.ts';
import { WorkflowsService } from './workflows/workflows.service.ts';

/** What the API stands on. */
export interface ApiFoundations {
  readonly store: Store;
  /** A module that exports Dispatch, or one that was made already. */
  readonly dispatch: Dispatch | DynamicModule;
  readonly telemetry: Telemetry;
  readonly nodes: NodeCatalogue;
  readonly dialects: Dialects;
  readonly limits: RequestLimits;
  readonly failpoints: Failpoints;
}

@Module({})
class FoundationsModule {}

/** The only place where the parts of the API are put together. */
@Module({})
export class ApiModule {
  static on({ store, dispatch, telemetry, nodes, dialects, limits, failpoints }: ApiFoundations): DynamicModule {
    const foundations = [
      { provide: Store, useValue: store },
      { provide: Telemetry, useValue: telemetry },
      { provide: NodeCatalogue, useValue: nodes },
      { provide: Dialects, useValue: dialects },
      { provide: RequestLimits, useValue: limits },
      { provide: Failpoints, useValue: failpoints },
      ...(dispatch instanceof Dispatch ? [{ provide: Dispatch, useValue: dispatch }] : []),
    ];
    return {
      module: ApiModule,
      imports: [
        { module: FoundationsModule, global: true, providers: foundations, exports: foundations.map(({ provide }) => provide) },
        ...(dispatch instanceof Dispatch ? [] : [dispatch]),
      ],
      controllers: [HealthController, WorkflowsController, StartsController, ExecutionsController],
      providers: [
        { provide: APP_FILTER, useClass: ProblemFilter },
        HealthService,
        WorkflowLookup,
        WorkflowsService,
        RunnableVersions,
        StartsService,
        ExecutionReader,
        ExecutionsService,
        ProgressService,
        RetriesService,
      ],
    };
  }
}
