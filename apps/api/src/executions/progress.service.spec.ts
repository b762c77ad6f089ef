import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiUnderTest, chain, passes, work, type ApiUnderTest } from '../../testing/api-under-test.ts';

interface Event {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly data: any;
}

function eventsOf(text: string): Event[] {
  const field = (block: string, name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
  return text
    .split('\n\n')
    .filter((block) => block.includes('event:'))
    .map((block) => ({ id: field(block, 'id'), name: field(block, 'event'), data: JSON.parse(field(block, 'data')!) }));
}

const told = (events: Event[]) => events.map(({ name, data }) => `${name} ${data.node ?? data.status}`);

describe('the stream of events of an execution', () => {
  let api: ApiUnderTest;
  let id: string;
  beforeEach(async () => {
    api = await apiUnderTest();
    const workflow = (await api.request('POST', '/api/v1/workflows', chain())).body.id;
    id = (await api.request('POST', `/api/v1/workflows/${workflow}/executions`)).body.id;
  });
  afterEach(async () => api.app.close());
  const events = async (headers = {}, query = '') => eventsOf((await api.request('GET', `/api/v1/executions/${id}/events${query}`, undefined, headers)).text);

  it('follows an execution while it runs, and ends with it', async () => {
    const stream = events();
    await new Promise((resolve) => setTimeout(resolve, 100));
    await work(api.store, passes, 2);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await work(api.store);
    expect(told(await stream)).toEqual(['status new', 'run Start', 'run A', 'status running', 'run B', 'status success', 'end success']);
  });

  it('tells of each run where it ran, how long it took and what it sent out', async () => {
    await work(api.store);
    expect((await events())[0]).toEqual({
      id: '1',
      name: 'run',
      data: expect.objectContaining({ node: 'Start', runIndex: 0, status: 'success', itemsByOutput: [1], executionTime: 5, worker: 'worker-1' }),
    });
  });

  it('goes on after the event that a client saw last', async () => {
    await work(api.store);
    const all = await events();
    const seen = all.find((event) => event.data.node === 'A')!.id!;
    expect(told(await events({ 'last-event-id': seen }))).toEqual(['run B', 'status success', 'end success']);
    expect(told(await events({}, `?after=${seen}`))).toEqual(['run B', 'status success', 'end success']);
  });

  it('says why an execution failed', async () => {
    await work(api.store, () => ({ kind: 'failed', error: { message: 'no luck' } }));
    expect((await events()).at(-1)).toMatchObject({ name: 'end', data: { status: 'error', error: { message: 'no luck', node: 'Start' } } });
  });

  it('lets go of its clients when the process shuts down', async () => {
    const stream = events();
    await new Promise((resolve) => setTimeout(resolve, 100));
    await api.app.close();
    expect(told(await stream)).toEqual(['status new']);
  });

  it('answers 404 for an execution that is not there', async () => {
    expect((await api.request('GET', '/api/v1/executions/12345/events')).status).toBe(404);
  });
});
