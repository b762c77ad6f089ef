import { beforeEach, describe, expect, it } from 'vitest';
import { apiUnderTest, chain, type ApiUnderTest } from '../../testing/api-under-test.ts';

const workflowFields = [
  'active',
  'activeVersion',
  'activeVersionId',
  'connections',
  'createdAt',
  'description',
  'id',
  'isArchived',
  'meta',
  'name',
  'nodeGroups',
  'nodes',
  'settings',
  'shared',
  'staticData',
  'tags',
  'triggerCount',
  'updatedAt',
  'versionCounter',
  'versionId',
];

describe('workflows over HTTP', () => {
  let api: ApiUnderTest;
  beforeEach(async () => {
    api = await apiUnderTest();
  });
  const create = async (body: object = chain()) => (await api.request('POST', '/api/v1/workflows', body)).body;

  it('creates a workflow and answers 200 with every field that clients read', async () => {
    const { status, body } = await api.request('POST', '/api/v1/workflows', chain());
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(workflowFields);
    expect(body).toMatchObject({ name: 'chain', active: false, activeVersionId: null, isArchived: false, versionCounter: 1, staticData: null });
  });

  it('gives back fields of a document that nobody knows, and ignores those that the server sets', async () => {
    const { id } = await create({ ...chain(), id: 'mine', active: true, versionId: 'v', pinData: { A: [{ json: { pinned: 1 } }] }, futureField: { deep: [1, null] } });
    const { body } = await api.request('GET', `/api/v1/workflows/${id}`);
    expect(body).toMatchObject({ futureField: { deep: [1, null] }, pinData: { A: [{ json: { pinned: 1 } }] }, active: false });
    expect(id).not.toBe('mine');
    expect((await api.request('GET', `/api/v1/workflows/${id}?excludePinnedData=true`)).body.pinData).toBeUndefined();
  });

  it('saves again what it gave out without changing it', async () => {
    const first = await create({ ...chain(), meta: { from: 'elsewhere' } });
    const { body } = await api.request('PUT', `/api/v1/workflows/${first.id}`, first);
    expect(body).toEqual({ ...first, versionId: body.versionId, updatedAt: body.updatedAt, versionCounter: 2 });
    expect(body.versionId).not.toBe(first.versionId);
  });

  it('refuses a document with faults and lists all of them with paths', async () => {
    const [start, a] = chain().nodes;
    const { status, body } = await api.request('POST', '/api/v1/workflows', { ...chain(), nodes: [start, a, a, { ...a, name: 'C', type: 7 }] });
    expect(status).toBe(400);
    const errors = body.problems.filter((problem: { severity: string }) => problem.severity === 'error');
    expect(errors.length).toBeGreaterThan(1);
    for (const error of errors) expect(error).toMatchObject({ code: expect.any(String), path: expect.stringMatching(/^\$/), suggestion: expect.any(String) });
    expect(body.message).toContain(errors[0].message);
  });

  it.each([
    ['Mars/Olympus', 400],
    ['', 200],
    [7, 400],
    ['DEFAULT', 200],
    ['Europe/Berlin', 200],
    ['utc', 200],
    ['UTC+3', 200],
    [null, 200],
  ])('judges the time zone %j of a workflow: %d', async (timezone, status) => {
    const answer = await api.request('POST', '/api/v1/workflows', { ...chain(), settings: { timezone } });
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body).toMatchObject({ code: 'unknown_timezone', path: '$.settings.timezone' });
  });

  it.each([1e300, 1e12, -1, 0, 'soon'])('runs without an end where the time-out is %j', async (executionTimeout) => {
    const { id } = await create({ ...chain(), settings: { executionTimeout } });
    const started = (await api.request('POST', `/api/v1/workflows/${id}/executions`)).body;
    expect((await api.request('GET', `/api/v1/executions/${started.id}`)).body.status).toBe('new');
    expect((await api.store.claimReady(['default'], 1, 'w', 1_000))[0]!.executionDeadline).toBeNull();
  });

  it('saves a workflow with a node type that it does not carry, and warns', async () => {
    const document = chain();
    const nodes = [...document.nodes, { ...document.nodes[1]!, id: 'x', name: 'X', type: 'n8n-nodes-base.teleporter' }];
    const { status, body } = await api.request('POST', '/api/v1/workflows', { ...document, nodes });
    expect(status).toBe(200);
    expect(body.problems).toEqual([expect.objectContaining({ severity: 'warning', code: 'unknown_node_type' })]);
  });

  it.each([
    [{}, '$.name'],
    [{ name: '' }, '$.name'],
    [{ name: 'a\0b' }, '$.name'],
    [{ name: 'n', nodes: 'none' }, '$.nodes'],
    [[], '$'],
  ])('refuses %j as a workflow and says where', async (body, path) => {
    const answer = await api.request('POST', '/api/v1/workflows', body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'invalid_value', path });
  });

  it('publishes the newest version unless told which, and takes it out again', async () => {
    const { id, versionId } = await create();
    const second = (await api.request('PUT', `/api/v1/workflows/${id}`, chain())).body.versionId;
    expect((await api.request('POST', `/api/v1/workflows/${id}/activate`)).body).toMatchObject({ active: true, activeVersionId: second });
    expect((await api.request('POST', `/api/v1/workflows/${id}/publish`, { versionId })).body.activeVersionId).toBe(versionId);
    expect((await api.request('POST', `/api/v1/workflows/${id}/deactivate`)).body).toMatchObject({ active: false, activeVersionId: null });
    expect((await api.request('POST', `/api/v1/workflows/${id}/publish`, { versionId: 'v0' })).status).toBe(404);
  });

  it('lets an active workflow go on with what is saved, unless asked not to', async () => {
    const { id } = await create();
    await api.request('POST', `/api/v1/workflows/${id}/activate`);
    const saved = (await api.request('PUT', `/api/v1/workflows/${id}`, chain())).body;
    expect(saved.activeVersionId).toBe(saved.versionId);
    const draft = (await api.request('PUT', `/api/v1/workflows/${id}?publishIfActive=false`, chain())).body;
    expect(draft.activeVersionId).toBe(saved.versionId);
  });

  it('archives: not active any more, not to be changed or published, until it is brought back', async () => {
    const { id } = await create();
    await api.request('POST', `/api/v1/workflows/${id}/activate`);
    expect((await api.request('POST', `/api/v1/workflows/${id}/archive`)).body).toMatchObject({ isArchived: true, active: false });
    expect((await api.request('PUT', `/api/v1/workflows/${id}`, chain())).status).toBe(409);
    expect((await api.request('POST', `/api/v1/workflows/${id}/publish`)).status).toBe(409);
    expect((await api.request('POST', `/api/v1/workflows/${id}/unarchive`)).body.isArchived).toBe(false);
  });

  it('keeps every save as a version, newest first, and shows a version with its graph', async () => {
    const { id, versionId } = await create();
    const second = (await api.request('PUT', `/api/v1/workflows/${id}`, chain())).body.versionId;
    const { body } = await api.request('GET', `/api/v1/workflows/${id}/history`);
    expect(body.data.map((version: { versionId: string }) => version.versionId)).toEqual([second, versionId]);
    expect(body.data[0].nodes).toBeUndefined();
    const long = await api.request('GET', `/api/v1/workflows/${id}/versions/${versionId}`);
    expect(long.body).toMatchObject({ versionId, workflowId: id, nodes: chain().nodes });
    expect((await api.request('GET', `/api/v1/workflows/${id}/${versionId}`)).body).toEqual(long.body);
  });

  it('does not show a version under another workflow', async () => {
    const [one, other] = [await create(), await create()];
    expect((await api.request('GET', `/api/v1/workflows/${one.id}/versions/${other.versionId}`)).status).toBe(404);
  });

  it('pages through a list without losing or repeating a workflow', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 5; at++) ids.push((await create(chain(`w${at}`))).id);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: { body: any } = await api.request('GET', `/api/v1/workflows?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      seen.push(...body.data.map((workflow: { id: string }) => workflow.id));
      cursor = body.nextCursor;
    }
    expect(seen.sort()).toEqual(ids.sort());
  });

  it('filters a list by activity, name and tags', async () => {
    const { id } = await create({ ...chain('tagged'), tags: [{ id: '1', name: 'blue' }] });
    await create(chain('plain'));
    await api.request('POST', `/api/v1/workflows/${id}/activate`);
    for (const query of ['active=true', 'name=tagged', 'tags=blue'])
      expect(
        (await api.request('GET', `/api/v1/workflows?${query}`)).body.data.map((workflow: { name: string }) => workflow.name),
        query,
      ).toEqual(['tagged']);
  });

  it('deletes and answers with what it deleted', async () => {
    const { id } = await create();
    expect((await api.request('DELETE', `/api/v1/workflows/${id}`)).body).toMatchObject({ id, name: 'chain' });
    expect((await api.request('GET', `/api/v1/workflows/${id}`)).status).toBe(404);
    expect((await api.request('DELETE', `/api/v1/workflows/${id}`)).body).toMatchObject({ code: 'not_found', message: expect.stringContaining(id) });
  });

  it('does not delete a workflow with open executions', async () => {
    const { id } = await create();
    await api.request('POST', `/api/v1/workflows/${id}/executions`);
    expect((await api.request('DELETE', `/api/v1/workflows/${id}`)).status).toBe(409);
  });

  it('stores the static data that an imported document brings', async () => {
    const { id } = await create({ ...chain(), staticData: { global: { cursor: 7 }, 'node:A': { seen: ['x'] } } });
    expect((await api.request('GET', `/api/v1/workflows/${id}`)).body.staticData).toEqual({ global: { cursor: 7 }, 'node:A': { seen: ['x'] } });
  });

  it.each(['limit=0', 'limit=251', 'limit=many', 'active=perhaps', 'cursor='])('refuses a list with %s', async (query) => {
    expect((await api.request('GET', `/api/v1/workflows?${query}`)).status).toBe(400);
  });

  it('answers 404 for ids that no database could hold', async () => {
    expect((await api.request('GET', '/api/v1/workflows/%00')).status).toBe(404);
    expect((await api.request('POST', '/api/v1/workflows/%00/executions')).status).toBe(404);
  });
});
