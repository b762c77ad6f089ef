import type { Effect, Json, JsonObject } from '@app/engine';
import type { ClaimedActivation, StaticDataChange, Store } from '@app/store';
import type { PreparedNode } from './prepared-node.ts';

/**
 * A workflow's memory across executions, as one run sees it. Production runs merge their changes into the workflow's
 * with the commit; test runs keep them in the execution.
 */
export class StaticDataSession {
  private constructor(
    private readonly owners: { global: JsonObject; node: JsonObject },
    private readonly before: { global: JsonObject; node: JsonObject },
    private readonly nodeOwner: string,
    private readonly isTest: boolean,
  ) {}

  static async open(prepared: PreparedNode, activation: ClaimedActivation, store: Store): Promise<StaticDataSession> {
    const nodeOwner = `node:${prepared.node.name}`;
    const isTest = activation.mode === 'manual' || activation.mode === 'evaluation';
    if (!prepared.usesStaticData) return new StaticDataSession({ global: {}, node: {} }, { global: {}, node: {} }, nodeOwner, isTest);
    const stored = await store.staticData(activation.workflowId);
    const own = isTest ? await store.loadCells(activation.executionId, '', [-1]) : [];
    const read = (owner: string): JsonObject => structuredClone((own.find(({ name }) => name === `static:${owner}`)?.value as JsonObject | undefined) ?? stored[owner] ?? {});
    const owners = { global: read('global'), node: read(nodeOwner) };
    return new StaticDataSession(owners, structuredClone(owners), nodeOwner, isTest);
  }

  of(scope: 'global' | 'node'): JsonObject {
    return this.owners[scope];
  }

  /** The sandbox hands back both objects as the code left them. */
  replace(data: { readonly global: JsonObject; readonly node: JsonObject }): void {
    this.owners.global = data.global;
    this.owners.node = data.node;
  }

  changes(): StaticDataChange[] {
    return this.isTest ? [] : this.changed().map(({ owner, after, before }) => difference(owner, before, after));
  }

  cellEffects(): Effect[] {
    if (!this.isTest) return [];
    return this.changed().map(({ owner, after }) => ({ kind: 'setVar', name: `static:${owner}`, value: after }));
  }

  private changed(): { owner: string; before: JsonObject; after: JsonObject }[] {
    return [
      { owner: 'global', before: this.before.global, after: this.owners.global },
      { owner: this.nodeOwner, before: this.before.node, after: this.owners.node },
    ].filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));
  }
}

function difference(owner: string, before: JsonObject, after: JsonObject): StaticDataChange {
  const same = (a: Json, b: Json) => JSON.stringify(a) === JSON.stringify(b);
  const set = Object.fromEntries(Object.entries(after).filter(([key, value]) => !same(before[key], value)));
  return { owner, set, removed: Object.keys(before).filter((key) => !(key in after)) };
}
