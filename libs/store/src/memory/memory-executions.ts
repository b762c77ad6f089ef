import { activationId, isTerminal, type Instant } from '@app/engine';
import { NotFound } from '../errors.ts';
import type { ReadyActivation } from '../records.ts';
import type { MemoryActivation, MemoryExecution } from './memory-execution.ts';

/** One of the activations that are open, with the execution that it belongs to. */
export interface OpenPlace {
  readonly execution: MemoryExecution;
  readonly activation: MemoryActivation;
}

/** All executions of a memory store, and the ways to find something in them. */
export class MemoryExecutions {
  private readonly all = new Map<string, MemoryExecution>();

  add(execution: MemoryExecution): void {
    this.all.set(execution.record.id, execution);
  }

  remove(id: string): void {
    this.all.delete(id);
  }

  find(id: string): MemoryExecution | undefined {
    return this.all.get(id);
  }

  require(id: string): MemoryExecution {
    const execution = this.all.get(id);
    if (!execution) throw new NotFound('execution', id);
    return execution;
  }

  values(): Iterable<MemoryExecution> {
    return this.all.values();
  }

  *open(): Iterable<MemoryExecution> {
    for (const execution of this.all.values()) if (!isTerminal(execution.status)) yield execution;
  }

  *activations(): Iterable<OpenPlace> {
    for (const execution of this.open()) for (const activation of execution.activations.values()) yield { execution, activation };
  }

  /** An execution has ended: whoever waits for it in another one goes on. */
  tellParent(child: MemoryExecution, now: Instant): ReadyActivation[] {
    const { parent } = child.record;
    const execution = parent && this.all.get(parent.executionId);
    if (!execution || isTerminal(execution.status)) return [];
    const activation = execution.activations.get(activationId(parent.executionId, parent.activation));
    return activation ? execution.childEnded(activation, now) : [];
  }
}
