import { describe, expect, it } from 'vitest';
import { catalogue } from '@app/nodes';
import { CaseServer } from './case-server.ts';
import type { Fleet } from './fleet.ts';
import { runCase } from './run-cases.ts';
import type { TestCase } from './test-case.ts';

const untouchable = async (): Promise<never> => {
  throw new Error('a skipped case was run');
};
const fleet = (storesCredentials: boolean): Fleet => ({ storesCredentials, save: untouchable, run: untouchable, resumeByTime: untouchable, read: untouchable, staticData: untouchable, stop: async () => {} });
const testCase = (more: Partial<TestCase>): TestCase => ({ name: 'a/b', file: '/a/b.json', about: '', workflow: { name: 'b', nodes: [] }, start: { mode: 'manual' }, expected: { status: 'success' }, ...more });
const run = (on: Fleet, more: Partial<TestCase>) => runCase(on, testCase(more), catalogue(), { scheduling: 'serial', exemptions: [], server: new CaseServer() });

describe('a case', () => {
  const credentials: TestCase['credentials'] = [{ id: '1', name: 'Shop', type: 'httpBasicAuth', data: {} }];

  it('with credentials is skipped on a fleet that cannot store them, and run on one that can', async () => {
    expect(await run(fleet(false), { credentials })).toEqual([expect.objectContaining({ verdict: 'skipped', reason: 'not carried yet: credentials' })]);
    expect(await run(fleet(true), { credentials })).toEqual([expect.objectContaining({ verdict: 'failed' })]);
  });

  it('that needs what this runner does not know is skipped', async () => {
    expect(await run(fleet(true), { needs: ['mail-server'] })).toEqual([expect.objectContaining({ verdict: 'skipped', reason: 'not carried yet: mail-server' })]);
  });

  it('with nodes that are not carried is skipped', async () => {
    const workflow = { name: 'b', nodes: [{ name: 'X', type: 'some.unknown', typeVersion: 1 }] };
    expect(await run(fleet(true), { workflow })).toEqual([expect.objectContaining({ verdict: 'skipped', reason: 'not carried yet: some.unknown' })]);
  });
});
