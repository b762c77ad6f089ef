import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { isTerminal, type JsonObject } from '@app/engine';
import { Store, type ExecutionRecord } from '@app/store';
import { isoOrNull } from '../instants.ts';
import { nextRuns } from './execution-history.ts';
import type { StepsQuery } from './execution-queries.ts';
import { statusName } from './execution-view.ts';
import { ExecutionsService } from './executions.service.ts';
import { PollInterval } from './poll-interval.ts';
import { RunnableVersions } from './runnable-versions.ts';
import { eventOf, heartbeat } from './server-sent-events.ts';
import { openStepView, stepView } from './step-view.ts';

/** Proxies close connections on which nothing moves, often after 30 or 60 seconds. */
const heartbeatMs = 15_000;
const runsPerRead = 250;

/** What an execution has done so far, and what it does next. */
@Injectable()
export class ProgressService implements OnModuleDestroy {
  readonly #closing = new AbortController();

  constructor(
    private readonly store: Store,
    private readonly executions: ExecutionsService,
    private readonly versions: RunnableVersions,
  ) {}

  /** Ends all streams: clients come back, to another process, with the last event's id. */
  onModuleDestroy(): void {
    this.#closing.abort();
  }

  async steps(id: string, { limit, cursor }: StepsQuery): Promise<{ data: JsonObject[]; open: JsonObject[]; nextCursor: string | null }> {
    const { versionId } = await this.executions.find(id);
    const { program } = await this.versions.get(versionId);
    const { runs, isLast } = await nextRuns(this.store, id, cursor ?? -1, limit);
    const open = isLast ? await this.store.listOpenActivations(id) : [];
    return {
      data: runs.map((run) => stepView(program, run)),
      open: open.map((activation) => openStepView(program, activation)),
      nextCursor: isLast ? null : String(runs.at(-1)!.commit),
    };
  }

  /**
   * Server-sent events from after a commit until the execution ends: `status` whenever it changes, `run` for each run
   * that settled, `end`. The id of an event is the commit up to which the client has seen everything.
   */
  async *events(execution: ExecutionRecord, after: number): AsyncGenerator<string> {
    const { program } = await this.versions.get(execution.versionId);
    const interval = new PollInterval();
    let seen = after;
    let commitsRead = -1;
    let told: string | null = null;
    let silentMs = 0;
    for (let current = execution; ; current = await this.executions.find(execution.id)) {
      const before = seen;
      // The record is older than the runs read after it: when it says "ended", all runs are there.
      if (current.commits !== commitsRead || isTerminal(current.status)) {
        for (let isLast = false; !isLast;) {
          const page = await nextRuns(this.store, execution.id, seen, runsPerRead);
          for (const [index, run] of page.runs.entries()) {
            const isCommitComplete = page.runs[index + 1]?.commit !== run.commit;
            yield eventOf('run', stepView(program, run), isCommitComplete ? run.commit : undefined);
          }
          seen = page.runs.at(-1)?.commit ?? seen;
          isLast = page.isLast;
        }
        commitsRead = current.commits;
      }
      const status = statusName(current);
      if (status !== told) yield eventOf('status', { status, waitTill: isoOrNull(current.waitTill) });
      if (isTerminal(current.status)) return yield eventOf('end', { status, error: current.error && { message: current.error.message, node: current.error.node ?? null } });
      if (this.#closing.signal.aborted) return;
      const waitedMs = await interval.pause(seen !== before || status !== told, this.#closing.signal);
      told = status;
      silentMs = seen !== before ? 0 : silentMs + waitedMs;
      if (silentMs < heartbeatMs) continue;
      yield heartbeat;
      silentMs = 0;
    }
  }
}
