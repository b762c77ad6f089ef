import type { JsonObject } from '@app/engine';
import { ApiRefusal, TestFleet } from '../../support/fleet.ts';
import { CASE_LIMIT_MS, SHORT_WAIT_MS, StartRefused, type ExecutionDetail, type Fleet } from './fleet.ts';

const OPEN = new Set(['new', 'running']);

interface Row {
  readonly id: string;
  readonly status: string;
  readonly waitTill: string | null;
}

/** A real fleet: API, queue, two worker processes, Postgres. Everything goes through the API but the test's clock. */
export async function processFleet(): Promise<Fleet> {
  const redisUrl = process.env['REDIS_URL'];
  const fleet = await TestFleet.start({ workers: 2, ...(redisUrl !== undefined && { redisUrl }), env: { SWEEP_INTERVAL_MS: '50', IDLE_POLL_INTERVAL_MS: '500' } });
  let shift = 0;
  const row = (id: string): Promise<Row> => fleet.call<Row>('GET', `executions/${id}`);
  const settle = async (id: string): Promise<void> => {
    for (const until = Date.now() + CASE_LIMIT_MS; Date.now() < until; await new Promise((done) => setTimeout(done, 10))) {
      const { status } = await row(id);
      if (OPEN.has(status)) continue;
      if (status !== 'waiting') return;
      // A parent that waits for its child is as busy as the child; cases run alone, so any open execution counts.
      const { data } = await fleet.call<{ data: Row[] }>('GET', 'executions?limit=20');
      const soon = Date.now() + shift + SHORT_WAIT_MS;
      if (!data.some((other) => OPEN.has(other.status) || (other.status === 'waiting' && other.waitTill !== null && Date.parse(other.waitTill) < soon))) return;
    }
    throw new Error(`Execution ${id} did not end in time: ${JSON.stringify(await row(id))}`);
  };

  return {
    storesCredentials: false,
    async save(testCase, scheduling, switches) {
      const settings = { ...(testCase.workflow['settings'] as JsonObject | undefined), branchScheduling: scheduling, ...(Object.keys(switches).length > 0 && { argosy: switches }) };
      const { id } = await fleet.call<{ id: string }>('POST', 'workflows', { ...testCase.workflow, settings });
      await fleet.call('POST', `workflows/${id}/publish`, {});
      return id;
    },
    async run(workflowId, { start }) {
      const { mode, node, items, destination } = start;
      try {
        const { id } = await fleet.call<{ id: string }>('POST', `workflows/${workflowId}/executions`, { mode, ...(node !== undefined && { node }), ...(items && { items }), ...(destination !== undefined && { destination }) });
        await settle(id);
        return id;
      } catch (error) {
        if (error instanceof ApiRefusal && error.status < 500) throw new StartRefused(error.text);
        throw error;
      }
    },
    async resumeByTime(id) {
      const { waitTill } = await row(id);
      if (waitTill !== null) shift += Math.max(0, Date.parse(waitTill) - (Date.now() + shift)) + 1;
      await fleet.database.query('update clock set shift_ms = $1', [shift]);
      // In a loop it may wait once more before anybody looks: then it waits for another moment.
      const isWaitingStill = ({ status, waitTill: now }: Row): boolean => status === 'waiting' && now === waitTill;
      for (const until = Date.now() + CASE_LIMIT_MS; Date.now() < until && isWaitingStill(await row(id)); ) await new Promise((done) => setTimeout(done, 20));
      await settle(id);
    },
    async read(id) {
      const { data, status } = await fleet.call<ExecutionDetail & { status: string }>('GET', `executions/${id}?includeData=true`);
      return { status, data };
    },
    async staticData(workflowId) {
      return (await fleet.call<{ staticData: JsonObject | null }>('GET', `workflows/${workflowId}`)).staticData;
    },
    stop: () => fleet.stop(),
  };
}
