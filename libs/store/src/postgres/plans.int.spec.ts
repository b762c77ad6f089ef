import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../testing/fresh-database.ts';
import { chainOf, DrivenExecution, fanOf, item } from '../../testing/driven-execution.ts';
import { SESSION } from './connection.ts';
import { PostgresStore } from './postgres-store.ts';
import { findApiKey, insertApiKey, listApiKeys, revokeApiKey } from './statements/api-keys.ts';
import { commitChain } from './statements/commit-chain.ts';
import { commitLinks } from './statements/commit-links.ts';
import { claimActivations } from './statements/claim-activations.ts';
import { claimReady } from './statements/claim-ready.ts';
import { readStaticData, readVersion } from './statements/read-version.ts';
import { claimSuspect, findSuspect } from './statements/claim-suspect.ts';
import { clearEnded } from './statements/clear-ended.ts';
import { deleteActivations } from './statements/delete-activations.ts';
import { endExecutions } from './statements/end-executions.ts';
import { findOutcome } from './statements/find-outcome.ts';
import { moveDeadlines, overdueExecutions, restartDeadlines } from './statements/deadlines.ts';
import { extendLeases, releaseExpired, releaseLeases } from './statements/leases.ts';
import { loadSome, loadWhole } from './statements/load-rows.ts';
import { lockHeads } from './statements/lock-heads.ts';
import { lockLeases } from './statements/lock-leases.ts';
import { findOrphans, noteEndedCallers } from './statements/orphans.ts';
import { countFamily, findRetry, listChildren, listExecutions, readExecutions } from './statements/read-executions.ts';
import { listRuns, readRuns, readRunsOfNodes } from './statements/read-history.ts';
import { readChunks, readPayloads, readStartItems } from './statements/read-payloads.ts';
import type { Query } from './statements/row-set.ts';
import { wakeForSignal } from './statements/signals.ts';
import { updateHeads } from './statements/update-heads.ts';
import { announceReady, countChildren, fireTimers, wakeActivations, wakeBySignal, wakeParents } from './statements/wake-activations.ts';
import { deleteTokens } from './statements/write-rows.ts';

const key = { executionId: '5', scope: '', node: 1, seq: 0 };
const lease = { id: '7', ms: 1_000, worker: 'w' };
const ref = { kind: 'tokens', scope: '', node: 1 } as const;
const end = { executionId: '5', atCommits: 1, atEpoch: 0, end: { status: 'succeeded', cause: null, error: null }, startedAt: null, commits: 1, spent: 0, warnings: [], remains: null } as const;

/** Values do not matter: all plans are generic. */
const statements: { readonly [name: string]: Query } = {
  'a link of a chain': commitLinks([]),
  'steps that end': commitChain({ heads: [], ends: [end], closed: [], created: [], runs: [], chunks: [] }),
  'claim by id': claimActivations([key], lease, 2),
  'claim by queue': claimReady(['default'], 10, lease, 2),
  'heads of a commit': lockHeads(['5']),
  'leases of a commit': lockLeases([{ ...key, leaseId: '7' }]),
  'a small execution': loadWhole(['5']),
  'rows of a large one': loadSome([{ executionId: '5', need: ref }]),
  'update of heads': updateHeads([]),
  'settled activations': deleteActivations([key]),
  'ended executions': endExecutions([]),
  'tokens taken': deleteTokens([]),
  ...Object.fromEntries(clearEnded(['5']).map((query) => [query.name, query])),
  'extended leases': extendLeases([{ ...key, leaseId: '7' }], 1_000),
  'released leases': releaseLeases([{ ...key, leaseId: '7' }]),
  'expired leases': releaseExpired(10, 3, lease),
  'a look for suspects': findSuspect(['default'], 2),
  'a claimed suspect': claimSuspect(['default'], 2, lease),
  'a version': readVersion('1'),
  'static data': readStaticData('1'),
  'due timers': fireTimers(10),
  announcements: announceReady(10, 1_000, 2, true),
  deadlines: overdueExecutions(10),
  'moved deadlines': moveDeadlines([{ executionId: '5', deadline: 1 }]),
  'restarted deadlines': restartDeadlines(['5']),
  'woken activations': wakeActivations([]),
  'early signals': wakeBySignal([key]),
  'a signal': wakeForSignal('5', 'k', '{}'),
  'children that ended': countChildren([]),
  'parents of them': wakeParents([key]),
  'callers that end': noteEndedCallers(['5']),
  orphans: findOrphans(10),
  'a family': countFamily('5', 10),
  'a retry of an execution': findRetry('5'),
  'a lost answer': findOutcome([{ ...key, row: key }]),
  'payloads by key': readPayloads([key]),
  'chunks by key': readChunks([]),
  'first items': readStartItems(['5']),
  'runs by key': readRuns([key]),
  'runs of nodes': readRunsOfNodes('5', '', [1]),
  'runs in order': listRuns('5', -1, 10),
  'executions by id': readExecutions(['5']),
  'executions of a workflow': listExecutions({ before: '9', limit: 10, workflowId: 'w', project: null, statuses: null, startedAfter: null, startedBefore: null }),
  'executions by age': listExecutions({ before: '9', limit: 10, workflowId: null, project: null, statuses: null, startedAfter: null, startedBefore: null }),
  children: listChildren('5', '', 1, 0),
  'a new API key': insertApiKey('1', { hash: 'h', prefix: 'p', name: 'n' }),
  'sign-in': findApiKey('h'),
  'API keys by age': listApiKeys('', 10),
  'a revoked API key': revokeApiKey('1'),
};

const LARGE = /^(executions|activations|runs|outputs|tokens|execution_heads|scopes|drivers|queued_firings|signals|cells|list_entries|api_keys)(_w\d+|_rest)?$/;

describe('plans on filled tables', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let client: pg.Client;

  beforeAll(async () => {
    database = await freshDatabase();
    const store = new PostgresStore({ databaseUrl: database.url });
    const fans = Array.from({ length: 40 }, () => new DrivenExecution(store, fanOf(5)));
    const chains = Array.from({ length: 40 }, () => new DrivenExecution(store, chainOf(3)));
    await Promise.all(fans.map((run) => run.start(['a'])));
    for (const activation of await fans[0]!.claim()) await fans[0]!.finish(activation);
    const branches = await fans[0]!.claim();
    await Promise.all(branches.slice(0, 80).map((activation) => fans[0]!.finish(activation, Array.from({ length: 30 }, () => item({ text: 'x'.repeat(500) })))));
    await Promise.all(chains.map((run) => run.start(['n1'])));
    await store.close();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('analyze');
    await client.query(SESSION);
  }, 60_000);
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it.each(Object.entries(statements))('%s: no table that grows is read whole', async (_, query) => {
    expect(scansOf(await planOf(client, query)).flatMap(({ type, table }) => (type === 'Seq Scan' && LARGE.test(table) ? [table] : []))).toEqual([]);
  });
});

/** A session keeps the plan it made when it began, and the hot tables are empty whenever there is nothing to do. */
describe('plans made when nothing was there yet', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let client: pg.Client;

  beforeAll(async () => {
    database = await freshDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(SESSION);
  }, 60_000);
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it.each(['claim by queue', 'leases of a commit', 'settled activations'])('%s: activations are found by their whole key, not by their execution', async (name) => {
    const scans = scansOf(await planOf(client, statements[name]!)).filter(({ table, index }) => table === 'activations' && index !== 'activations_ready');
    expect(scans).toHaveLength(1);
    expect(scans[0]).toMatchObject({ index: 'activations_pkey', condition: expect.stringMatching(/execution_id.*scope.*row_node.*row_seq/) });
  });

  it('the tokens that an arrival meets are found by edge and by age, not among all of their node', async () => {
    const scans = scansOf(await planOf(client, statements['rows of a large one']!)).filter(({ table }) => table === 'tokens');
    expect(scans.find(({ index }) => index === 'tokens_edge')?.condition).toMatch(/execution_id.*scope.*node.*edge/);
    expect(scans.filter(({ index }) => index === 'tokens_youngest')).toHaveLength(1);
  });
});

async function planOf(client: pg.Client, { text, values }: Query): Promise<PlanNode> {
  await client.query(`prepare statement as ${text}`);
  try {
    const literals = values.map((value) => (value === null ? 'null' : typeof value === 'number' ? value : pg.escapeLiteral(value)));
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`explain (format json) execute statement${literals.length > 0 ? `(${literals.join(', ')})` : ''}`);
    return rows[0]!['QUERY PLAN'][0].Plan;
  } finally {
    await client.query('deallocate statement');
  }
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

interface Scan {
  readonly type: string;
  readonly table: string;
  readonly index: string | undefined;
  readonly condition: string | undefined;
}

function scansOf(plan: PlanNode): Scan[] {
  const own = plan['Node Type'].includes('Scan') && plan['Relation Name'] ? [{ type: plan['Node Type'], table: plan['Relation Name'], index: plan['Index Name'], condition: plan['Index Cond'] }] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scansOf)];
}
