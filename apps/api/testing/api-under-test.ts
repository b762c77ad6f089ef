import { link, step, type Item, type Outcome, type ProgramNode } from '@app/engine';
import { n8n } from '@app/dialects';
import { MemoryDispatch } from '@app/dispatch';
import { catalogue } from '@app/nodes';
import { MemoryStore, type ClaimedActivation, type Store } from '@app/store';
import { SilentTelemetry } from '@app/telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiKeys } from '../src/access/api-keys.ts';
import { createApi } from '../src/create-api.ts';
import { Dialects } from '../src/dialects.ts';
import { limited } from '../src/executions/limited-program.ts';
import { Failpoints } from '../src/failpoints.ts';

export interface Answer {
  readonly status: number;
  // What a client sees: parsed JSON without a type.
  readonly body: any;
  readonly text: string;
  readonly headers: { readonly [name: string]: unknown };
}

export interface ApiUnderTest {
  readonly app: NestFastifyApplication;
  readonly store: Store;
  readonly dispatch: MemoryDispatch;
  request(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown, headers?: { [name: string]: string }): Promise<Answer>;
}

export interface ApiUnderTestOptions {
  readonly keys?: readonly string[];
  readonly limits?: { readonly bodyBytes?: number; readonly items?: number; readonly depth?: number };
  readonly store?: Store;
}

/** The whole API over memory adapters, asked without a socket. */
export async function apiUnderTest({ keys = [], limits, store = new MemoryStore(Date.now) }: ApiUnderTestOptions = {}): Promise<ApiUnderTest> {
  const dispatch = new MemoryDispatch();
  const app = await createApi({
    store,
    dispatch,
    telemetry: new SilentTelemetry(),
    nodes: catalogue(),
    dialects: new Dialects([n8n]),
    limits: { bodyBytes: 1_000_000, items: 1_000, depth: 100, ...limits },
    failpoints: new Failpoints([]),
    keys: new ApiKeys({ bootstrap: keys, stored: store.apiKeys }),
    logger: false,
  });
  return {
    app,
    store,
    dispatch,
    async request(method, url, body, headers = {}) {
      const payload = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
      const answer = await app.inject({ method, url, payload, headers: { ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...headers } });
      const isJson = String(answer.headers['content-type']).includes('json');
      return { status: answer.statusCode, body: isJson ? JSON.parse(answer.payload) : undefined, text: answer.payload, headers: answer.headers };
    },
  };
}

/** What a node does in a test; by default it passes one item. */
export type Behavior = (node: ProgramNode, activation: ClaimedActivation) => Outcome;

const oneItem: readonly Item[] = [{ json: { done: true } }];
export const passes: Behavior = () => ({ kind: 'done', outputs: [{ port: 0, count: 1, items: oneItem }], effects: [] });

/** Stands in for the workers: runs what is ready, at most `most` activations. Answers with the names of the nodes that ran. */
export async function work(store: Store, behavior: Behavior = passes, most = 100): Promise<string[]> {
  const ran: string[] = [];
  while (ran.length < most) {
    const [activation] = await store.claimReady(['default'], 1, 'worker-1', 10_000);
    if (!activation) break;
    const program = limited(link((await store.findVersion(activation.versionId))!.program), activation.options);
    const node = program.nodes[activation.node]!;
    ran.push(node.name);
    const outcome = behavior(node, activation);
    const now = await store.now();
    await store.commit(activation, (snapshot, at) => step(program, snapshot, { kind: 'activation-settled', activation, outcome }, at), {
      continueHere: false,
      worker: 'worker-1',
      leaseMs: 10_000,
      startedAt: now,
      finishedAt: now + 5,
    });
  }
  return ran;
}

const node = (name: string, type: string, y = 0) => ({ id: name.toLowerCase(), name, type: `n8n-nodes-base.${type}`, typeVersion: 1, position: [0, y], parameters: {} });
const to = (...names: string[]) => ({ main: [names.map((name) => ({ node: name, type: 'main', index: 0 }))] });

/** Start → A → B. */
export const chain = (name = 'chain') => ({
  name,
  nodes: [node('Start', 'manualTrigger'), node('A', 'noOp'), node('B', 'noOp')],
  connections: { Start: to('A'), A: to('B') },
  settings: { executionOrder: 'v1' },
});
