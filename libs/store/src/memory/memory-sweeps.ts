import { isTerminal, type EndCause, type ErrorShape, type Instant } from '@app/engine';
import type { Ended, ReadyActivation, Released } from '../records.ts';
import { announcedAgainAfter } from '../announcements.ts';
import { suspectAt } from '../suspects.ts';
import type { MemoryExecution } from './memory-execution.ts';
import type { MemoryExecutions, OpenPlace } from './memory-executions.ts';

/** What the sweeps of the port do, over all open activations. */
export class MemorySweeps {
  constructor(
    private readonly executions: MemoryExecutions,
    private readonly nextId: () => string,
    private readonly now: () => Instant,
  ) {}

  releaseExpired(limit: number, maxLosses: number, worker: string, leaseMs: number): Released {
    const now = this.now();
    const released: { [Kind in keyof Released]: Released[Kind][number][] } = { ready: [], suspects: [], exhausted: [] };
    for (const { execution, activation } of this.first(limit, ({ activation }) => activation.status === 'running' && activation.leaseUntil <= now)) {
      execution.loseLease(activation, now, maxLosses);
      if (activation.losses >= maxLosses) released.exhausted.push(execution.lease(activation, worker, this.nextId(), now, leaseMs, false));
      else released[activation.losses >= suspectAt(maxLosses) ? 'suspects' : 'ready'].push(activation.announce(now));
    }
    return released;
  }

  fireTimers(limit: number): ReadyActivation[] {
    const now = this.now();
    const due = this.first(limit, ({ activation }) => activation.status === 'waiting' && (activation.suspension?.until ?? Infinity) <= now);
    return due.map(({ execution, activation }) => execution.wakeFromOutside(activation, { cause: 'time', payload: null }, now));
  }

  announceReady(limit: number, olderThanMs: number, suspects: number, isQueueBusy: boolean): ReadyActivation[] {
    const now = this.now();
    const forgotten = this.first(limit, ({ activation: { status, readyAt, losses, announcedAt, announcement } }) => {
      return status === 'ready' && readyAt <= now && losses < suspects && (announcedAt === null || announcedAt <= now - announcedAgainAfter(olderThanMs, announcement, isQueueBusy));
    });
    return forgotten.map(({ activation }) => activation.announce(now));
  }

  expireDeadlines(limit: number): Ended {
    const now = this.now();
    const due = [...this.executions.open()].filter((execution) => execution.isOverdue(now)).slice(0, limit);
    return this.end(due, 'timeout', { message: 'The execution ran longer than its time-out allows.', code: 'timeout' });
  }

  /** With what they called and wait for. */
  end(executions: readonly MemoryExecution[], cause: EndCause, error: ErrorShape | null): Ended {
    const now = this.now();
    const open = executions.filter(({ status }) => !isTerminal(status));
    for (const execution of open) execution.cancel(cause, error, now);
    const ready = open.flatMap((execution) => this.executions.tellParent(execution, now));
    const orphans = open.length > 0 ? this.cancelOrphans(Infinity) : { executionIds: [], ready: [] };
    return { executionIds: [...open.map(({ record }) => record.id), ...orphans.executionIds], ready: [...ready, ...orphans.ready] };
  }

  cancelOrphans(limit: number): Ended {
    const isOrphan = ({ record: { parent } }: MemoryExecution): boolean => parent !== null && isTerminal(this.executions.find(parent.executionId)?.status ?? 'canceled');
    const orphans = [...this.executions.open()].filter(isOrphan).slice(0, limit);
    return this.end(orphans, 'caller-ended', { message: 'The execution that called this one and waited for it has ended.', code: 'caller_ended' });
  }

  private first(limit: number, wanted: (place: OpenPlace) => boolean): OpenPlace[] {
    return [...this.executions.activations()].filter(wanted).slice(0, limit);
  }
}
