import type { Json, JsonObject, LinkedProgram, ProgramNode } from '@app/engine';
import { joinReferences, referencesOf, referencesOfCode, type References } from '@app/expressions';
import { normaliseParameters, UnknownNodeType, type NodeCatalogue, type NodeType } from '@app/nodes';

/** A node of a program with what running it needs to know every time. */
export interface PreparedNode {
  readonly node: ProgramNode;
  /** null when the type is not carried; `missing` then says so. */
  readonly type: NodeType | null;
  readonly missing: UnknownNodeType | null;
  readonly parameters: JsonObject;
  /** What its expressions and code name. */
  readonly references: References;
  readonly usesStaticData: boolean;
  readonly usesState: boolean;
  readonly lazyInput: boolean;
}

export function prepareNode(program: LinkedProgram, index: number, nodes: NodeCatalogue): PreparedNode {
  const node = program.nodes[index]!;
  const { type, missing } = find(nodes, node);
  const parameters = type ? normaliseParameters(type.description, node) : node.parameters;
  const codes = codeTexts(parameters);
  return {
    node,
    type,
    missing,
    parameters,
    references: codes.length === 0 ? referencesOf(parameters) : joinReferences([referencesOf(parameters), ...codes.map(referencesOfCode)]),
    usesStaticData: Boolean(type?.description.usesStaticData) || codes.some((code) => code.includes('getWorkflowStaticData')),
    usesState: Boolean(type?.description.usesState || type?.description.lazyInput),
    lazyInput: type?.description.lazyInput ?? false,
  };
}

function find(nodes: NodeCatalogue, node: ProgramNode): { type: NodeType | null; missing: UnknownNodeType | null } {
  try {
    return { type: nodes.get(node.type, node.version), missing: null };
  } catch (error) {
    if (error instanceof UnknownNodeType) return { type: null, missing: error };
    throw error;
  }
}

const CODE_PARAMETERS = ['jsCode', 'functionCode', 'code'];

function codeTexts(parameters: JsonObject): string[] {
  return CODE_PARAMETERS.flatMap((name) => {
    const value: Json = parameters[name];
    return typeof value === 'string' ? [value] : [];
  });
}

