import type { JsonObject, ProgramNode } from '@app/engine';

/** What a node says about a credential that it uses. */
export interface CredentialReference {
  readonly type: string;
  readonly id: string;
  readonly name: string;
}

type NodeOfCredentials = Pick<ProgramNode, 'name' | 'attributes'>;

/** Reads decrypted credentials; undefined when there is none of this id and type. The answer belongs to the caller. */
export type CredentialReader = (reference: CredentialReference) => Promise<JsonObject | undefined>;

export const noCredentials: CredentialReader = async () => undefined;

/** The credential of a type that a node names. Throws when it names none, or one that is not there. */
export async function credentialOf(node: NodeOfCredentials, type: string, read: CredentialReader): Promise<JsonObject> {
  const reference = referenceOf(node, type);
  const data = reference && (await read(reference));
  if (data) return data;
  const missing = reference ? `"${reference.name}" (${reference.id}) is not stored here` : 'none is stored for it';
  throw new Error(`Node "${node.name}" needs a credential of type "${type}"; ${missing}.`);
}

function referenceOf({ attributes }: NodeOfCredentials, type: string): CredentialReference | undefined {
  const named = (attributes['credentials'] as JsonObject | undefined)?.[type];
  if (typeof named !== 'object' || named === null) return undefined;
  const { id, name } = named as JsonObject;
  return typeof id === 'string' ? { type, id, name: typeof name === 'string' ? name : '' } : undefined;
}
