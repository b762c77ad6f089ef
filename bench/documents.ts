/** The workflows that are measured, as n8n documents. */

interface DocumentNode {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly typeVersion: number;
  readonly position: readonly [number, number];
  readonly parameters: object;
}

interface Target {
  readonly node: string;
  readonly type: 'main';
  readonly index: number;
}

export interface WorkflowDocument {
  readonly name: string;
  readonly nodes: DocumentNode[];
  readonly connections: { [name: string]: { main: Target[][] } };
  readonly settings: object;
}

class Builder {
  private readonly document: WorkflowDocument;

  constructor(name: string) {
    this.document = { name, nodes: [], connections: {}, settings: { executionOrder: 'v1' } };
  }

  add(name: string, type: string, typeVersion: number, parameters: object = {}): string {
    const { nodes } = this.document;
    nodes.push({ id: `node-${nodes.length}`, name, type: `n8n-nodes-base.${type}`, typeVersion, position: [nodes.length * 20, 0], parameters });
    return name;
  }

  connect(from: string, to: string, { output = 0, input = 0 }: { output?: number; input?: number } = {}): void {
    const { main } = (this.document.connections[from] ??= { main: [] });
    while (main.length <= output) main.push([]);
    main[output]!.push({ node: to, type: 'main', index: input });
  }

  build(): WorkflowDocument {
    return this.document;
  }
}

/** A trigger and `length` Set nodes, each with one expression. */
export function chainDocument(length: number): WorkflowDocument {
  const builder = new Builder(`chain of ${length}`);
  let last = builder.add('Start', 'manualTrigger', 1);
  for (let position = 1; position <= length; position += 1) {
    const assignments = { assignments: [{ id: `a${position}`, name: 'n', type: 'number', value: '={{ $json.n + 1 }}' }] };
    const node = builder.add(`Step ${position}`, 'set', 3.4, { mode: 'manual', assignments, options: {} });
    builder.connect(last, node);
    last = node;
  }
  return builder.build();
}

/** The smallest execution there is. */
export function oneNodeDocument(): WorkflowDocument {
  const builder = new Builder('one node');
  builder.add('Start', 'manualTrigger', 1);
  return builder.build();
}

/** `branches` nodes behind one, joined by a tree of Merges of `width` inputs each. */
export function fanoutDocument(branches: number, width = 10): WorkflowDocument {
  const builder = new Builder(`fan-out of ${branches}`);
  const start = builder.add('Start', 'manualTrigger', 1);
  let level = Array.from({ length: branches }, (_, index) => {
    const branch = builder.add(`Branch ${index}`, 'noOp', 1);
    builder.connect(start, branch);
    return branch;
  });
  for (let depth = 1; level.length > 1; depth += 1) level = joined(builder, level, width, depth);
  return builder.build();
}

function joined(builder: Builder, level: readonly string[], width: number, depth: number): string[] {
  return Array.from({ length: Math.ceil(level.length / width) }, (_, index) => {
    const sources = level.slice(index * width, (index + 1) * width);
    const merge = builder.add(`Merge ${depth}.${index}`, 'merge', 3.2, { mode: 'append', numberInputs: sources.length });
    sources.forEach((source, input) => builder.connect(source, merge, { input }));
    return merge;
  });
}

/** A loop over the items it is started with, one at a time. */
export function loopDocument(): WorkflowDocument {
  const builder = new Builder('loop');
  const start = builder.add('Start', 'manualTrigger', 1);
  const loop = builder.add('Loop', 'splitInBatches', 3, { batchSize: 1, options: {} });
  const body = builder.add('Body', 'noOp', 1);
  const done = builder.add('Done', 'noOp', 1);
  builder.connect(start, loop);
  builder.connect(loop, done, { output: 0 });
  builder.connect(loop, body, { output: 1 });
  builder.connect(body, loop);
  return builder.build();
}
