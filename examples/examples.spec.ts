import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareResult } from '../test/conformance/compare.mjs';
import { caseResult } from '../test/conformance/runner/case-result.ts';
import { TestFleet } from '../test/support/fleet.ts';

const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
const read = (folder: string, file: string) => JSON.parse(readFileSync(join(import.meta.dirname, folder, file), 'utf8'));

describe('the examples, run by the command line on a fleet', () => {
  let fleet: TestFleet;
  beforeAll(async () => {
    fleet = await TestFleet.start({ workers: 2, workerEnv: { WORKER_SLOTS: '3' } });
  });
  afterAll(() => fleet?.stop());

  const argosy = (...args: string[]) =>
    new Promise<{ code: number | null; out: string }>((done) => {
      const child = spawn(process.execPath, [resolve('dist/cli.js'), ...args], { env: { ...process.env, ARGOSY_URL: fleet.url }, stdio: ['ignore', 'pipe', 'inherit'] });
      let out = '';
      child.stdout.on('data', (chunk) => (out += chunk));
      child.once('close', (code) => done({ code, out }));
    });

  it.each(folders)('%s gives what its expected.json says', async (folder) => {
    const { code, out } = await argosy('run', join(import.meta.dirname, folder, 'workflow.json'), '--json');
    expect(code).toBe(0);
    expect(compareResult(read(folder, 'expected.json'), caseResult(JSON.parse(out), null))).toEqual([]);
  });

  it('fan-out is spread over both workers', async () => {
    const { out } = await argosy('run', join(import.meta.dirname, 'fan-out', 'workflow.json'));
    expect(out).toContain('worker-1');
    expect(out).toContain('worker-2');
  });

  it('retry needs more than one try', async () => {
    const { out } = await argosy('run', join(import.meta.dirname, 'retry', 'workflow.json'), '--json');
    const { data } = await fleet.call<{ data: { node: string; attempt: number }[] }>('GET', `executions/${JSON.parse(out).id}/steps`);
    expect(data.find(({ node }) => node === 'Order')!.attempt).toBeGreaterThan(1);
  });

  it('a failing workflow ends the command with 1', async () => {
    const { id } = await fleet.call<{ id: string }>('POST', 'workflows', {
      ...read('retry', 'workflow.json'),
      name: 'fails',
      nodes: read('retry', 'workflow.json').nodes.map((node: object) => ({ ...node, retryOnFail: false })),
    });
    expect((await argosy('execution', 'start', id, '--watch')).code).toBe(1);
  });
});
