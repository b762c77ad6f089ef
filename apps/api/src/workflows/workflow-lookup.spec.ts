import { describe, expect, it } from 'vitest';
import { MemoryStore, type WorkflowRecord } from '@app/store';
import { WorkflowLookup } from './workflow-lookup.ts';

/** Answers reads when told to, with the state at the beginning of the read. */
class SlowStore extends MemoryStore {
  state = 1;
  readonly reads: (() => void)[] = [];
  override findWorkflow(id: string): Promise<WorkflowRecord | undefined> {
    const found = { id, versionCounter: this.state } as WorkflowRecord;
    return new Promise((resolve) => this.reads.push(() => resolve(found)));
  }
}

describe('looking up a workflow for a start', () => {
  it('shares one read among all who ask while another is under way', async () => {
    const store = new SlowStore(Date.now);
    const lookup = new WorkflowLookup(store);
    const asked = Array.from({ length: 10 }, () => lookup.current('w'));
    expect(store.reads).toHaveLength(1);
    store.reads[0]!();
    await asked[0];
    expect(store.reads).toHaveLength(2);
    store.reads[1]!();
    await Promise.all(asked);
    expect(store.reads).toHaveLength(2);
  });

  it('never answers with a state from before the question', async () => {
    const store = new SlowStore(Date.now);
    const lookup = new WorkflowLookup(store);
    const early = lookup.current('w');
    store.state = 2;
    const late = lookup.current('w');
    store.reads[0]!();
    expect((await early).versionCounter).toBe(1);
    store.reads[1]!();
    expect((await late).versionCounter).toBe(2);
  });

  it('says that a workflow is not there', async () => {
    await expect(new WorkflowLookup(new MemoryStore(Date.now)).current('none')).rejects.toMatchObject({ status: 404 });
  });
});
