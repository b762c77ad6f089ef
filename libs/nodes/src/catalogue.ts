import type { NodeDescription, NodeDescriptions } from '@app/engine';
import { builtInNodes } from './built-in-nodes.ts';
import { nearMatches } from './near-matches.ts';
import type { NodeType } from './node-type.ts';

/** A workflow names a node type, or a version of one, that this process does not carry. */
export class UnknownNodeType extends Error {
  override readonly name = 'UnknownNodeType';
  readonly code = 'unknown_node_type';
  readonly retryable = false;

  constructor(
    readonly type: string,
    readonly version: number,
    readonly versions: readonly number[],
    readonly near: readonly string[],
  ) {
    super(
      versions.length > 0
        ? `Node type "${type}" has no version ${version}; carried: ${versions.join(', ')}. Change typeVersion to one of these.`
        : `No node type "${type}".${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''} See libs/nodes/src/built-in-nodes.ts for those carried.`,
    );
  }
}

/** The node types of a process, by type and version. Filled once at start-up. */
export class NodeCatalogue implements NodeDescriptions {
  private readonly byType = new Map<string, Map<number, NodeType>>();

  constructor(nodes: readonly NodeType[]) {
    for (const node of nodes) this.add(node);
  }

  describe(type: string, version: number): NodeDescription | undefined {
    return this.byType.get(type)?.get(version)?.description;
  }

  /** Throws `UnknownNodeType`. */
  get(type: string, version: number): NodeType {
    const versions = this.byType.get(type);
    const node = versions?.get(version);
    if (node) return node;
    const near = versions ? [] : nearMatches(type, [...this.byType.keys()]);
    throw new UnknownNodeType(type, version, [...(versions?.keys() ?? [])], near);
  }

  all(): NodeType[] {
    return [...new Set([...this.byType.values()].flatMap((versions) => [...versions.values()]))];
  }

  private add(node: NodeType): void {
    const { type, versions } = node.description;
    const carried = this.byType.get(type) ?? new Map<number, NodeType>();
    this.byType.set(type, carried);
    for (const version of versions) {
      if (carried.has(version)) throw new Error(`Node type "${type}" version ${version} is registered twice.`);
      carried.set(version, node);
    }
  }
}

/** Every built-in node type. Throws when two claim the same type and version. */
export const catalogue = (): NodeCatalogue => new NodeCatalogue(builtInNodes);
