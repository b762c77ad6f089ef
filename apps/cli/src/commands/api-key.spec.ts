import { describe, expect, it } from 'vitest';
import { cliUnderTest } from '../../testing/cli-under-test.ts';
import { postgresOpener } from '../store-opener.ts';

describe('argosy api-key', () => {
  it('makes a key that opens the API, alone on the output, and lists it without showing it', async () => {
    const { argosy, api } = await cliUnderTest();
    const { code, out, notes } = await argosy('api-key', 'create', '--name', 'deploy-bot');
    expect(code).toBe(0);
    expect(out).toMatch(/^argosy_[\w-]{43}\n$/);
    const key = out.trim();
    expect(notes).toContain('deploy-bot');
    expect(notes).not.toContain(key);
    const list = async (headers: Record<string, string>) => (await api.request('GET', '/api/v1/executions', undefined, headers)).status;
    expect([await list({}), await list({ 'x-n8n-api-key': key })]).toEqual([401, 200]);
    const listed = await argosy('api-key', 'list');
    expect(listed.out).toMatch(/^id\s+name\s+key\s+created\s+revoked\n\S+\s+deploy-bot\s+argosy_[\w-]{6}…\s+\d{4}-\S+Z\n$/);
    expect(listed.out).not.toContain(key);
  });

  it('makes every key another one, and answers in JSON for programs', async () => {
    const { argosy } = await cliUnderTest();
    const create = async () => JSON.parse((await argosy('api-key', 'create', '--name', 'ci', '--json')).out);
    const [first, second] = [await create(), await create()];
    expect(first).toEqual({ id: expect.any(String), name: 'ci', prefix: first.key.slice(0, 13), createdAt: expect.any(String), revokedAt: null, key: expect.any(String) });
    expect(second.key).not.toBe(first.key);
    const { key: _, ...known } = first;
    expect(JSON.parse((await argosy('api-key', 'list', '--json')).out)).toEqual([known, expect.objectContaining({ id: second.id })]);
  });

  it('revokes by id, as often as asked', async () => {
    const { argosy } = await cliUnderTest();
    const { id } = JSON.parse((await argosy('api-key', 'create', '--name', 'lost laptop', '--json')).out);
    for (let time = 0; time < 2; time++) expect(await argosy('api-key', 'revoke', id)).toEqual({ code: 0, out: `API key ${id} (lost laptop): revoked\n`, notes: '' });
    expect(JSON.parse((await argosy('api-key', 'list', '--json')).out)).toEqual([expect.objectContaining({ id, revokedAt: expect.any(String) })]);
  });

  it('lists more keys than one page of the store holds', async () => {
    const { argosy, api } = await cliUnderTest();
    for (let number = 0; number < 251; number++) await api.store.apiKeys.create({ name: 'n', hash: `h${number}`, prefix: 'argosy_' });
    expect(JSON.parse((await argosy('api-key', 'list', '--json')).out)).toHaveLength(251);
  });

  it.each([
    [2, ['create'], '--name'],
    [2, ['create', '--name', ' '], '--name'],
    [2, ['create', '--name', 'n'.repeat(101)], '100'],
    [2, ['revoke'], 'ID'],
    [2, ['burn'], 'create, list, revoke'],
    [1, ['revoke', 'no-such-key'], 'argosy api-key list'],
  ])('ends with %i for %j, and says what to try', async (code, args, hint) => {
    const result = await (await cliUnderTest()).argosy('api-key', ...args);
    expect({ code: result.code, out: result.out }).toEqual({ code, out: '' });
    expect(result.notes).toMatch(/^argosy: .+\n {2}.+\n$/s);
    expect(result.notes).toContain(hint);
  });

  it.each([
    [undefined, 'DATABASE_URL is not set'],
    ['http://secret@localhost', 'not the address of a Postgres'],
    ['postgres://user:secret@127.0.0.1:1/argosy', 'does not answer'],
  ])('says what is wrong with the database at %s, without repeating its address', async (url, message) => {
    const refusal = await postgresOpener(url)(() => Promise.resolve()).catch((error: Error) => error.message);
    expect(refusal).toContain(message);
    expect(refusal).not.toContain('secret');
  });
});
