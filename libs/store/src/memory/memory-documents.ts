import type { JsonObject } from '@app/engine';
import { NotFound } from '../errors.ts';
import type { NewVersion, Page, StaticData, StaticDataChange, VersionRecord, WorkflowFilter, WorkflowRecord } from '../records.ts';
import { pageOf } from './page-of.ts';

/** Workflows, their versions, and what their nodes remember between executions. */
export class MemoryDocuments {
  private readonly workflows = new Map<string, WorkflowRecord>();
  private readonly versions = new Map<string, VersionRecord>();
  private readonly statics = new Map<string, Map<string, JsonObject>>();

  constructor(
    private readonly nextId: () => string,
    private readonly now: () => number,
  ) {}

  save(workflow: { readonly id?: string; readonly name: string; document: JsonObject; version: NewVersion; project?: string }): WorkflowRecord {
    const id = workflow.id ?? `wf${this.nextId()}`;
    const before = this.workflows.get(id);
    const versionId = `v${this.nextId()}`;
    const now = this.now();
    const { dialect, program, name, description } = workflow.version;
    this.versions.set(versionId, { id: versionId, workflowId: id, dialect, document: workflow.document, program, name: name ?? null, description: description ?? null, createdAt: now });
    const record: WorkflowRecord = {
      id,
      name: workflow.name,
      project: workflow.project ?? before?.project ?? 'default',
      document: workflow.document,
      versionId,
      versionCounter: (before?.versionCounter ?? 0) + 1,
      activeVersionId: before?.activeVersionId ?? null,
      archived: before?.archived ?? false,
      staticData: null,
      createdAt: before?.createdAt ?? now,
      updatedAt: now,
    };
    this.workflows.set(id, record);
    return record;
  }

  publish(workflowId: string, versionId: string | null): WorkflowRecord {
    if (versionId !== null && this.versions.get(versionId)?.workflowId !== workflowId) throw new NotFound('version', versionId);
    return this.change(workflowId, { activeVersionId: versionId });
  }

  setArchived(workflowId: string, archived: boolean): WorkflowRecord {
    return this.change(workflowId, { archived });
  }

  private change(id: string, change: Partial<WorkflowRecord>): WorkflowRecord {
    const before = this.workflows.get(id);
    if (!before) throw new NotFound('workflow', id);
    const after = { ...before, ...change, updatedAt: this.now() };
    this.workflows.set(id, after);
    return this.withStaticData(after);
  }

  private withStaticData(record: WorkflowRecord): WorkflowRecord {
    const statics = this.statics.get(record.id);
    return { ...record, staticData: statics && statics.size > 0 ? Object.fromEntries(statics) : null };
  }

  find(id: string): WorkflowRecord | undefined {
    const record = this.workflows.get(id);
    return record && this.withStaticData(record);
  }

  list(filter: WorkflowFilter): Page<WorkflowRecord> {
    const rows = [...this.workflows.values()]
      .filter((workflow) => filter.active === undefined || (workflow.activeVersionId !== null) === filter.active)
      .filter((workflow) => filter.name === undefined || workflow.name === filter.name)
      .filter((workflow) => filter.project === undefined || workflow.project === filter.project)
      .map((workflow) => this.withStaticData(workflow));
    return pageOf(rows, filter.limit, filter.cursor);
  }

  findVersion(versionId: string): VersionRecord | undefined {
    return this.versions.get(versionId);
  }

  listVersions(workflowId: string, page: { limit: number; cursor?: string }): Page<Omit<VersionRecord, 'program'>> {
    const rows = [...this.versions.values()].filter((version) => version.workflowId === workflowId).reverse();
    return pageOf(rows, page.limit, page.cursor);
  }

  require(id: string): WorkflowRecord {
    const record = this.find(id);
    if (!record) throw new NotFound('workflow', id);
    return record;
  }

  remove(id: string): void {
    this.workflows.delete(id);
    this.statics.delete(id);
  }

  staticData(workflowId: string): StaticData {
    return Object.fromEntries(this.statics.get(workflowId) ?? []);
  }

  mergeStaticData(workflowId: string, changes: readonly StaticDataChange[]): void {
    const owners = this.statics.get(workflowId) ?? new Map<string, JsonObject>();
    this.statics.set(workflowId, owners);
    for (const { owner, set, removed } of changes) {
      const merged = { ...owners.get(owner), ...set };
      for (const key of removed) delete merged[key];
      owners.set(owner, merged);
    }
  }
}
