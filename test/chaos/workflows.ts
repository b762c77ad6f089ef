import type { JsonObject } from '@app/engine';

/** A workflow under test together with what every undisturbed execution of it does. */
export interface WorkflowUnderTest {
  readonly document: JsonObject;
  /** Nodes that call the sink, once per run. */
  readonly effects: readonly string[];
  readonly joins: readonly { readonly node: string; readonly after: readonly string[] }[];
  /** The node right behind a join that tells the sink how many items came out of it. */
  readonly joined?: { readonly node: string; readonly items: number };
  /** Nodes that call another workflow and wait for it. */
  readonly calls?: readonly string[];
  readonly waits: readonly { readonly node: string; readonly before: string; readonly after: string; readonly ms: number }[];
}

type Node = { name: string; type: string; version: number; parameters: JsonObject; more?: JsonObject };
type Link = readonly [from: string, to: string, input?: number];

export const start = (): Node => ({ name: 'Start', type: 'manualTrigger', version: 1, parameters: {} });
export const noOp = (name: string): Node => ({ name, type: 'noOp', version: 1, parameters: {} });

/** Calls the sink with the key of its run; answered after `ms`. */
export function effect(name: string, sinkUrl: string, ms: number): Node {
  const url = `={{ "${sinkUrl}/effect?node=${name}&ms=${ms}&execution=" + $execution.id + "&run=" + $runIndex + "&items=" + $input.all().length }}`;
  return { name, type: 'httpRequest', version: 4.2, parameters: { method: 'POST', url }, more: { executeOnce: true } };
}

export const merge = (name: string, inputs: number): Node => ({ name, type: 'merge', version: 3.2, parameters: { mode: 'append', numberInputs: inputs } });
export const pause = (name: string, ms: number): Node => ({ name, type: 'wait', version: 1.1, parameters: { resume: 'timeInterval', amount: ms / 1000, unit: 'seconds' } });
export const set = (name: string, value: string): Node => ({
  name,
  type: 'set',
  version: 3.4,
  parameters: { mode: 'manual', assignments: { assignments: [{ id: 'value', name: 'value', value, type: 'string' }] }, options: {} },
});
const call = (name: string, workflowId: string): Node => ({ name, type: 'executeWorkflow', version: 1.1, parameters: { source: 'database', workflowId, mode: 'once', options: { waitForSubWorkflow: true } } });
export const fail = (name: string): Node => ({ name, type: 'stopAndError', version: 1, parameters: { errorMessage: 'as planned' } });

export function documentOf(name: string, nodes: readonly Node[], links: readonly Link[]): JsonObject {
  const connections: { [from: string]: { main: { node: string; type: string; index: number }[][] } } = {};
  for (const [from, to, input = 0] of links) (connections[from] ??= { main: [[]] }).main[0]!.push({ node: to, type: 'main', index: input });
  return {
    name,
    nodes: nodes.map(({ name: node, type, version, parameters, more }, index) => ({
      id: `node-${index}`,
      name: node,
      type: `n8n-nodes-base.${type}`,
      typeVersion: version,
      position: [(index % 20) * 220, Math.floor(index / 20) * 160],
      parameters,
      ...more,
    })),
    connections,
    settings: { branchScheduling: 'parallel' },
  };
}

/** An order: effects one after the other, three side by side, a join, a wait, an end. */
export function order(sinkUrl: string, { ms = 120, waitMs = 400 }: { ms?: number; waitMs?: number } = {}): WorkflowUnderTest {
  const branches = ['Charge', 'Pack', 'Notify'];
  const nodes = [start(), effect('Reserve', sinkUrl, ms), ...branches.map((name) => effect(name, sinkUrl, ms)), merge('Join', branches.length), effect('Confirm', sinkUrl, ms), pause('Rest', waitMs), set('Finish', '={{ $execution.id }}')];
  const links: Link[] = [['Start', 'Reserve'], ...branches.map((name): Link => ['Reserve', name]), ...branches.map((name, input): Link => [name, 'Join', input]), ['Join', 'Confirm'], ['Confirm', 'Rest'], ['Rest', 'Finish']];
  return {
    document: documentOf('Order', nodes, links),
    effects: ['Reserve', ...branches, 'Confirm'],
    joins: [{ node: 'Join', after: branches }],
    joined: { node: 'Confirm', items: branches.length },
    waits: [{ node: 'Rest', before: 'Confirm', after: 'Finish', ms: waitMs }],
  };
}

/** Calls another workflow and waits for it. */
export const calling = (workflowId: string): WorkflowUnderTest => ({
  document: documentOf('Calls', [start(), call('Call', workflowId), set('Answered', '={{ $json.value }}')], [['Start', 'Call'], ['Call', 'Answered']]),
  effects: [],
  joins: [],
  waits: [],
  calls: ['Call'],
});

/** As many branches from one node, joined by a tree of merges of up to ten inputs, and one effect at the end. */
export function fanOut(sinkUrl: string, branches: number): WorkflowUnderTest {
  const leaves = Array.from({ length: branches }, (_, index) => `Branch ${index + 1}`);
  const nodes = [start(), ...leaves.map((name, index) => set(name, `={{ ${index} + 1 }}`))];
  const links: Link[] = leaves.map((name) => ['Start', name]);
  const joins: { node: string; after: string[] }[] = [];
  let level = leaves;
  while (level.length > 1) {
    const next: string[] = [];
    for (let at = 0; at < level.length; at += 10) {
      const after = level.slice(at, at + 10);
      if (after.length === 1) {
        next.push(after[0]!);
        continue;
      }
      const node = `Join ${joins.length + 1}`;
      nodes.push(merge(node, after.length));
      links.push(...after.map((name, input): Link => [name, node, input]));
      joins.push({ node, after });
      next.push(node);
    }
    level = next;
  }
  nodes.push(effect('Collect', sinkUrl, 50));
  links.push([level[0]!, 'Collect']);
  return { document: documentOf(`Fan-out of ${branches}`, nodes, links), effects: ['Collect'], joins, joined: { node: 'Collect', items: branches }, waits: [] };
}
