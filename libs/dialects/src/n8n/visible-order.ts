import type { Edge, Json, ProgramNode } from '@app/engine';

const NODE_NAMES = /\$\(\s*(['"`])((?:\\.|(?!\1).)*)\1\s*\)|\$node\s*\[\s*(['"`])((?:\\.|(?!\3).)*)\3\s*\]|\$node\.([A-Za-z_$][\w$]*)|\$items\(\s*(['"`])((?:\\.|(?!\6).)*)\6/g;
const COMPUTED_NAME = /\$\(\s*[^'"`\s)]|\$node\s*\[\s*[^'"`\s]|\$items\(\s*[^'"`\s)]/;
const STATIC_DATA = /getWorkflowStaticData/;

/**
 * Whether a workflow can see in which order its branches run: something names a node that is not one of its
 * ancestors (or computes the name), or static data is used on branches that do not follow each other. Such a workflow
 * runs serially unless told otherwise. Errs on the side of "yes".
 */
export function seesOrder(nodes: readonly ProgramNode[], edges: readonly Edge[]): boolean {
  const byName = new Map(nodes.map((node) => [node.name, node.index]));
  const ancestors = ancestorLookup(nodes.length, edges);
  const withStaticData: number[] = [];
  for (const node of nodes) {
    const texts = textsOf(node.parameters);
    if (texts.some((text) => COMPUTED_NAME.test(text))) return true;
    for (const name of texts.flatMap(namesIn)) {
      const other = byName.get(name);
      if (other !== undefined && other !== node.index && !ancestors(node.index).has(other)) return true;
    }
    if (texts.some((text) => STATIC_DATA.test(text))) withStaticData.push(node.index);
  }
  return withStaticData.some((a) => withStaticData.some((b) => a !== b && !ancestors(a).has(b) && !ancestors(b).has(a)));
}

function namesIn(text: string): string[] {
  if (!text.includes('$')) return [];
  return [...text.matchAll(NODE_NAMES)].flatMap((match) => match[2] ?? match[4] ?? match[5] ?? match[7] ?? []).map((name) => name.replace(/\\(.)/g, '$1'));
}

/** Texts that are evaluated: expressions, and code wherever it stands. */
function textsOf(value: Json, found: string[] = []): string[] {
  if (typeof value === 'string') {
    if (value.startsWith('=') || value.includes('$')) found.push(value);
    else if (STATIC_DATA.test(value)) found.push(value);
  } else if (Array.isArray(value)) for (const element of value as readonly Json[]) textsOf(element, found);
  else if (typeof value === 'object' && value !== null) for (const element of Object.values(value)) textsOf(element, found);
  return found;
}

function ancestorLookup(size: number, edges: readonly Edge[]): (node: number) => ReadonlySet<number> {
  const incoming = Array.from({ length: size }, (): number[] => []);
  for (const edge of edges) incoming[edge.to.node]!.push(edge.from.node);
  const known = new Map<number, Set<number>>();
  return (node) => {
    const before = known.get(node);
    if (before) return before;
    const found = new Set<number>();
    const open = [node];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const source of incoming[next]!) if (!found.has(source)) open.push(source), found.add(source);
    }
    known.set(node, found);
    return found;
  };
}
