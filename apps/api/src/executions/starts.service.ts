import { Injectable } from '@nestjs/common';
import { ROOT, START_PORT, step, timeoutOf, type Event, type Item, type JsonObject } from '@app/engine';
import { Dispatch } from '@app/dispatch';
import { NodeCatalogue } from '@app/nodes';
import { NotFound, Store, type Decide, type NewExecution, type WorkflowRecord } from '@app/store';
import { Telemetry } from '@app/telemetry';
import { Failpoints } from '../failpoints.ts';
import { RequestLimits } from '../limits/request-limits.ts';
import { ApiProblem, conflict, refused } from '../problems/api-problem.ts';
import { WorkflowLookup } from '../workflows/workflow-lookup.ts';
import { RunnableVersions, type RunnableVersion } from './runnable-versions.ts';
import { resolveScheduling } from './scheduling.ts';
import type { StartInput } from './start-input.ts';
import { limited } from './limited-program.ts';
import { startIssues } from './start-issues.ts';

export interface Accepted {
  readonly id: string;
  /** The idempotency key had been used: nothing was started. */
  readonly existing: boolean;
}

/** Where an execution begins, and with what. */
export interface Beginning {
  readonly version: RunnableVersion;
  readonly starts: readonly { readonly node: number; readonly items: readonly Item[] }[];
  readonly options: JsonObject;
}

const isSameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const oneEmptyItem: readonly Item[] = [{ json: {} }];

@Injectable()
export class StartsService {
  constructor(
    private readonly store: Store,
    private readonly dispatch: Dispatch,
    private readonly nodes: NodeCatalogue,
    private readonly workflows: WorkflowLookup,
    private readonly versions: RunnableVersions,
    private readonly limits: RequestLimits,
    private readonly failpoints: Failpoints,
    private readonly telemetry: Telemetry,
  ) {}

  /** Once this resolves, the execution is durable and will be run whatever happens to this process. */
  async accept(workflowId: string, input: StartInput, traceparent?: string): Promise<Accepted> {
    this.#checkItems(input);
    const version = await this.versions.get(versionToRun(await this.workflows.current(workflowId), input.mode));
    const beginning = this.#plan(version, input);
    const accepted = await this.begin(beginning, { mode: input.mode, idempotencyKey: input.idempotencyKey, traceparent });
    if (accepted.existing) await this.#refuseAnother(accepted.id, beginning, input);
    return accepted;
  }

  /** A key stands for one request: the same one with other contents is a mistake of the client, which must hear of it. */
  async #refuseAnother(id: string, { version, starts, options }: Beginning, { mode, idempotencyKey }: StartInput): Promise<void> {
    const before = await this.store.findExecution(id);
    // Nodes of another version may have other numbers: between two publications only the mode can be compared.
    const isSame = !before || (before.mode === mode && (before.versionId !== version.id || (isSameJson(before.options, options) && (await this.#beganWith(id, starts)))));
    if (isSame) return;
    throw new ApiProblem({
      status: 422,
      code: 'idempotency_key_reused',
      message: `The idempotency key ${JSON.stringify(idempotencyKey)} started execution ${id} with another request: its mode, node, destination or items differ from this one's.`,
      suggestion: 'Use a new key for each request; repeat a key only with what it was first sent with.',
    });
  }

  async #beganWith(id: string, starts: Beginning['starts']): Promise<boolean> {
    // Where nothing was given, nothing is stored.
    const given = starts.filter(({ items }) => items.length > 0);
    const refs = given.map(({ node, items }) => ({ scope: ROOT, node, seq: 0, port: START_PORT, count: items.length }));
    const before = await this.store.loadItems(id, refs).catch((error: unknown) => {
      if (error instanceof NotFound) return null;
      throw error;
    });
    return before !== null && given.every(({ items }, index) => isSameJson(before[index]!, items));
  }

  /** Starts at the beginning; an execution whose nodes lack required parameters is accepted, and fails before its first run. */
  async begin({ version, starts, options }: Beginning, facts: Pick<NewExecution, 'mode' | 'idempotencyKey' | 'traceparent' | 'retryOf'>): Promise<Accepted> {
    const program = limited(version.program, options);
    const issues = startIssues(version, starts, options, this.nodes);
    const event: Event =
      issues.length > 0
        ? { kind: 'execution-refused', error: { message: issues.join('\n'), code: 'workflow_has_issues' } }
        : { kind: 'execution-started', starts: starts.map(({ node, items }) => ({ node, input: { scope: ROOT, node, seq: 0, port: START_PORT, count: items.length } })) };
    return await this.create({ ...facts, ...ofVersion(version), startItems: starts, options }, (snapshot, now) => step(program, snapshot, event, now));
  }

  /** Stores an execution, then rings the bell: never the other way round. */
  async create(execution: NewExecution, decide: Decide): Promise<Accepted> {
    const { id, existing, ready } = await this.store.createExecution(execution, decide);
    if (!existing) this.telemetry.count('executions_started_total', 1, { mode: execution.mode });
    this.failpoints.reach('api:after-commit-before-send');
    // Not awaited: the execution is safe without it, and a queue that is away must not slow the answer.
    void this.dispatch.send(ready);
    this.failpoints.reach('api:after-commit-before-response');
    return { id, existing };
  }

  #plan(version: RunnableVersion, input: StartInput): Beginning {
    const { mode, node, destination, items = oneEmptyItem } = input;
    const start = version.dialect.start(version.program, version.document, { mode, node, destination }, { nodes: this.nodes });
    if (start.kind === 'refused') throw refused('The execution cannot start', [start.problem]);
    const scheduling = input.scheduling && resolveScheduling(version, input.scheduling, this.nodes);
    return { version, starts: start.nodes.map((index) => ({ node: index, items })), options: scheduling ? { ...start.options, scheduling } : start.options };
  }

  #checkItems({ items }: StartInput): void {
    if (!items || items.length <= this.limits.items) return;
    throw new ApiProblem({
      status: 413,
      code: 'too_many_items',
      message: `The start carries ${items.length} items; this server takes at most ${this.limits.items}.`,
      path: '$.items',
      suggestion: 'Start several executions, or raise ITEM_LIMIT of the API.',
    });
  }
}

/** What every execution of a version has from it. */
export function ofVersion({ id, workflowId, program }: RunnableVersion): Pick<NewExecution, 'workflowId' | 'versionId' | 'timeoutMs'> {
  return { workflowId, versionId: id, timeoutMs: timeoutOf(program) };
}

/** A person tries what was saved last; production runs what was published. */
function versionToRun(workflow: WorkflowRecord, mode: StartInput['mode']): string {
  if (workflow.archived) throw conflict('archived', `Workflow ${workflow.id} is archived and starts nothing.`, `POST /api/v1/workflows/${workflow.id}/unarchive first.`);
  if (mode === 'manual') return workflow.versionId;
  if (workflow.activeVersionId !== null) return workflow.activeVersionId;
  throw conflict(
    'not_published',
    `Workflow ${workflow.id} ("${workflow.name}") has no published version, and mode "${mode}" runs nothing else.`,
    `POST /api/v1/workflows/${workflow.id}/publish, or start it with mode "manual".`,
  );
}
