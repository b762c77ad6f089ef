import type { JsonObject } from '@app/engine';
import type { WorkflowInput } from './workflow-input.ts';

/** Set by the server: not part of a document, and ignored where clients send back what they were given. */
const serverFields = new Set([
  'id',
  'active',
  'activeVersion',
  'activeVersionId',
  'createdAt',
  'updatedAt',
  'isArchived',
  'versionId',
  'versionCounter',
  'triggerCount',
  'shared',
  'staticData',
  'homeProject',
  'scopes',
  'problems',
]);

/** What is stored of a body: everything but the server's own fields. Static data have a place of their own. */
export function documentOf(input: WorkflowInput): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([field, value]) => !serverFields.has(field) && value !== undefined)) as JsonObject;
}

/** `global` and `node:<name>` objects of a body's static data, as the store merges them. */
export function staticDataOf(input: WorkflowInput): { owner: string; set: JsonObject; removed: string[] }[] {
  return Object.entries(input.staticData ?? {}).flatMap(([owner, set]) =>
    typeof set === 'object' && set !== null && !Array.isArray(set) ? [{ owner, set: set as JsonObject, removed: [] }] : [],
  );
}
