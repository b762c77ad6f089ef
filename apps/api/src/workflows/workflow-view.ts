import type { Json, JsonObject, NodeDescriptions } from '@app/engine';
import type { VersionRecord, WorkflowRecord } from '@app/store';
import { isoOf } from '../instants.ts';

export interface ViewOptions {
  readonly excludePinnedData?: boolean;
}

/** A workflow as clients of n8n expect it; whatever else its document holds comes along. */
export function workflowView(record: WorkflowRecord, nodes: NodeDescriptions, { excludePinnedData = false }: ViewOptions = {}): JsonObject {
  const { document } = record;
  return {
    ...document,
    ...(excludePinnedData ? { pinData: undefined } : {}),
    id: record.id,
    name: record.name,
    description: document['description'] ?? null,
    active: record.activeVersionId !== null,
    activeVersionId: record.activeVersionId,
    createdAt: isoOf(record.createdAt),
    updatedAt: isoOf(record.updatedAt),
    isArchived: record.archived,
    versionId: record.versionId,
    versionCounter: record.versionCounter,
    triggerCount: record.activeVersionId === null ? 0 : triggersOf(document, nodes),
    nodes: document['nodes'] ?? [],
    connections: document['connections'] ?? {},
    nodeGroups: document['nodeGroups'] ?? [],
    settings: document['settings'] ?? {},
    staticData: record.staticData,
    meta: document['meta'] ?? null,
    tags: document['tags'] ?? [],
    shared: [],
    activeVersion: record.activeVersionId === null ? null : { versionId: record.activeVersionId, workflowId: record.id },
  };
}

/** A version; `graph` false for lists of versions. */
export function versionView(version: Omit<VersionRecord, 'program'>, graph: boolean): JsonObject {
  const { document } = version;
  return {
    versionId: version.id,
    workflowId: version.workflowId,
    ...(graph ? { nodes: document['nodes'] ?? [], connections: document['connections'] ?? {}, nodeGroups: document['nodeGroups'] ?? [] } : {}),
    authors: '',
    name: version.name,
    description: version.description,
    createdAt: isoOf(version.createdAt),
    updatedAt: isoOf(version.createdAt),
  };
}

/** Enabled nodes that start executions by themselves. */
function triggersOf(document: JsonObject, nodes: NodeDescriptions): number {
  const list = Array.isArray(document['nodes']) ? (document['nodes'] as readonly Json[]) : [];
  return list.filter((node) => isTrigger(node, nodes)).length;
}

function isTrigger(node: Json, nodes: NodeDescriptions): boolean {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return false;
  const { type, typeVersion, disabled } = node as JsonObject;
  if (disabled === true || typeof type !== 'string') return false;
  const trigger = nodes.describe(type, typeof typeVersion === 'number' ? typeVersion : 1)?.trigger ?? null;
  return trigger !== null && trigger !== 'manual';
}
