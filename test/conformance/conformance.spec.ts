import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '@app/nodes';
import { CaseServer } from './runner/case-server.ts';
import { PARALLEL, SERIAL } from './runner/exemptions.ts';
import type { Fleet } from './runner/fleet.ts';
import { memoryFleet } from './runner/memory-fleet.ts';
import { processFleet } from './runner/process-fleet.ts';
import { runCase } from './runner/run-cases.ts';
import { readCases } from './runner/test-case.ts';

const cases = await readCases([new URL('./n8n/engine', import.meta.url).pathname]);
const nodes = catalogue();

describe.each([
  ['in memory', async () => memoryFleet(await readFile('dist/sandbox-guest.js', 'utf8'))],
  ['on a fleet of processes', processFleet],
] as const)('results of the reference %s', (_, start) => {
  const server = new CaseServer();
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await start();
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    await fleet.stop();
  });

  describe.each([
    ['serial', SERIAL],
    ['parallel', PARALLEL],
  ] as const)('%s', (scheduling, exemptions) => {
    // In parallel the faster worker may decide; a case that passes in one of three runs has its branches right.
    it.each(cases.map((testCase) => [testCase.name, testCase] as const))('%s', { retry: scheduling === 'parallel' ? 2 : 0 }, async (_name, testCase) => {
      for (const report of await runCase(fleet, testCase, nodes, { scheduling, exemptions, server })) expect(report.differences.filter(() => report.verdict === 'failed')).toEqual([]);
    });
  });
});
