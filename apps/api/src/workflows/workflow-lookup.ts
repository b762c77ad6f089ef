import { Injectable } from '@nestjs/common';
import { Store, type WorkflowRecord } from '@app/store';
import { notFound } from '../problems/api-problem.ts';

/**
 * Reads workflows for starts. Every caller gets a state read after it asked, so that a start through one process
 * follows a save through another; yet callers that come while a read is under way share the next one. However many
 * starts arrive, one workflow costs at most one read at a time.
 */
@Injectable()
export class WorkflowLookup {
  readonly #reads = new Map<string, { running: Promise<WorkflowRecord | undefined>; next: Promise<WorkflowRecord | undefined> | null }>();

  constructor(private readonly store: Store) {}

  async current(id: string): Promise<WorkflowRecord> {
    const workflow = id.includes('\0') ? undefined : await this.#read(id);
    if (!workflow) throw notFound('workflow', id, 'GET /api/v1/workflows lists the workflows there are.');
    return workflow;
  }

  #read(id: string): Promise<WorkflowRecord | undefined> {
    const entry = this.#reads.get(id);
    if (!entry) return this.#begin(id);
    entry.next ??= entry.running.then(
      () => this.#begin(id),
      () => this.#begin(id),
    );
    return entry.next;
  }

  #begin(id: string): Promise<WorkflowRecord | undefined> {
    const running = this.store.findWorkflow(id);
    const entry = { running, next: null };
    this.#reads.set(id, entry);
    const forget = () => {
      if (this.#reads.get(id) === entry && entry.next === null) this.#reads.delete(id);
    };
    running.then(forget, forget);
    return running;
  }
}
