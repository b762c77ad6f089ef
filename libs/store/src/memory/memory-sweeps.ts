import type { Instant } from '@app/engine';
import type { ReadyActivation, Released } from '../records.ts';
import { announcedAgainAfter } from '../announcements.ts';
import { suspectAt } from '../suspects.ts';
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

  expireDeadlines(limit: number): string[] {
    const now = this.now();
    const due = [...this.executions.open()].filter((execution) => execution.isOverdue(now)).slice(0, limit);
    for (const execution of due) {
      execution.cancel('timeout', { message: 'The execution ran longer than its time-out allows.', code: 'timeout' }, now);
      this.executions.tellParent(execution, now);
    }
    return due.map((execution) => execution.record.id);
  }

  private first(limit: number, wanted: (place: OpenPlace) => boolean): OpenPlace[] {
    return [...this.executions.activations()].filter(wanted).slice(0, limit);
  }
}
