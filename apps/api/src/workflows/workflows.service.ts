import { Injectable } from '@nestjs/common';
import type { JsonObject, Problem } from '@app/engine';
import { NodeCatalogue } from '@app/nodes';
import { Store, type NewVersion, type WorkflowRecord } from '@app/store';
import { Dialects } from '../dialects.ts';
import { conflict, notFound, refused } from '../problems/api-problem.ts';
import { documentOf, staticDataOf } from './workflow-document.ts';
import type { PublishInput, WorkflowInput, WorkflowListQuery } from './workflow-input.ts';
import { versionView, workflowView, type ViewOptions } from './workflow-view.ts';

interface Listed {
  readonly data: readonly JsonObject[];
  readonly nextCursor: string | null;
}

@Injectable()
export class WorkflowsService {
  constructor(
    private readonly store: Store,
    private readonly dialects: Dialects,
    private readonly nodes: NodeCatalogue,
  ) {}

  async list(query: WorkflowListQuery): Promise<Listed> {
    const { limit, cursor, active, name, projectId: project } = query;
    const page = await this.store.listWorkflows({ limit, cursor, active, name, project });
    const tags = query.tags?.split(',').map((tag) => tag.trim()) ?? [];
    const rows = page.rows.filter((record) => tags.every((tag) => carriesTag(record, tag)));
    return { data: rows.map((record) => this.#view(record, query)), nextCursor: page.nextCursor };
  }

  /** `problems` of the answer are warnings; with an error nothing is saved. */
  async create(input: WorkflowInput): Promise<JsonObject> {
    const { record, warnings } = await this.#save(undefined, input);
    return { ...this.#view(record), ...warnings };
  }

  async get(id: string, options: ViewOptions): Promise<JsonObject> {
    return this.#view(await this.find(id), options);
  }

  async update(id: string, input: WorkflowInput, publishIfActive: boolean): Promise<JsonObject> {
    const before = await this.find(id);
    if (before.archived) throw conflict('archived', `Workflow ${id} is archived.`, `POST /api/v1/workflows/${id}/unarchive before you change it.`);
    const { record, warnings } = await this.#save(id, input);
    const isPublished = publishIfActive && before.activeVersionId !== null;
    return { ...this.#view(isPublished ? await this.store.publishVersion(id, record.versionId) : record), ...warnings };
  }

  async delete(id: string): Promise<JsonObject> {
    return this.#view(await this.store.deleteWorkflow((await this.find(id)).id));
  }

  async publish(id: string, { versionId }: PublishInput): Promise<JsonObject> {
    const workflow = await this.find(id);
    if (workflow.archived) throw conflict('archived', `Workflow ${id} is archived.`, `POST /api/v1/workflows/${id}/unarchive first.`);
    if (versionId) await this.#version(id, versionId);
    return this.#view(await this.store.publishVersion(id, versionId ?? workflow.versionId));
  }

  async unpublish(id: string): Promise<JsonObject> {
    return this.#view(await this.store.publishVersion((await this.find(id)).id, null));
  }

  /** An archived workflow starts nothing. */
  async archive(id: string): Promise<JsonObject> {
    await this.unpublish(id);
    return this.#view(await this.store.setArchived(id, true));
  }

  async unarchive(id: string): Promise<JsonObject> {
    return this.#view(await this.store.setArchived((await this.find(id)).id, false));
  }

  async history(id: string, page: { limit: number; cursor?: string }): Promise<Listed> {
    const { rows, nextCursor } = await this.store.listVersions((await this.find(id)).id, page);
    return { data: rows.map((version) => versionView(version, false)), nextCursor };
  }

  async version(id: string, versionId: string): Promise<JsonObject> {
    return versionView(await this.#version(id, versionId), true);
  }

  async find(id: string): Promise<WorkflowRecord> {
    const record = id.includes('\0') ? undefined : await this.store.findWorkflow(id);
    if (!record) throw notFound('workflow', id, 'GET /api/v1/workflows lists the workflows there are.');
    return record;
  }

  async #version(id: string, versionId: string) {
    const version = versionId.includes('\0') ? undefined : await this.store.findVersion(versionId);
    if (version?.workflowId !== id) throw notFound(`version of workflow ${id}`, versionId, `GET /api/v1/workflows/${id}/history lists its versions.`);
    return version;
  }

  async #save(id: string | undefined, input: WorkflowInput): Promise<{ record: WorkflowRecord; warnings: JsonObject }> {
    const document = documentOf(input);
    const { version, problems } = this.#compile(document);
    const saved = await this.store.saveWorkflow({ id, name: input.name, document, version });
    const statics = staticDataOf(input);
    if (statics.length > 0) await this.store.mergeStaticData(saved.id, statics);
    return { record: statics.length > 0 ? await this.find(saved.id) : saved, warnings: problems.length > 0 ? { problems: problems.map((problem) => ({ ...problem })) } : {} };
  }

  #compile(document: JsonObject): { version: NewVersion; problems: readonly Problem[] } {
    const dialect = this.dialects.of(document);
    const { program, problems } = dialect.compile(document, { nodes: this.nodes });
    if (program === null || problems.some((problem) => problem.severity === 'error')) throw refused('The workflow cannot be saved', problems);
    return { version: { dialect: dialect.name, program }, problems };
  }

  #view(record: WorkflowRecord, options: ViewOptions = {}): JsonObject {
    return workflowView(record, this.nodes, options);
  }
}

function carriesTag(record: WorkflowRecord, tag: string): boolean {
  const tags = record.document['tags'];
  return Array.isArray(tags) && tags.some((candidate) => candidate === tag || (typeof candidate === 'object' && candidate !== null && candidate.name === tag));
}
