import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CaseServer } from './case-server.ts';
import type { TestCase } from './test-case.ts';

const ADDRESS = 'http://127.0.0.1:18099';
const COUNTING = `
import http from 'node:http';
let count = 0;
http.createServer((request, response) => response.end(String(request.url === '/reset' ? (count = 0) : ++count)))
  .listen(Number(process.argv[2]), '127.0.0.1', () => console.log('listening'));
`;

const ask = async (): Promise<string> => (await fetch(`${ADDRESS}/`)).text();
const at = (file: string, needs?: string[]): TestCase => ({ name: file, file, about: '', ...(needs && { needs }), workflow: { name: '', nodes: [] }, start: { mode: 'manual' }, expected: { status: 'success' } });

describe('the HTTP server of the cases', () => {
  let folder: string;
  let server: CaseServer;
  const inFolder = (file: string, needs = ['http-server']): TestCase => at(join(folder, file), needs);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'argosy-cases-'));
    await mkdir(join(folder, 'n8n/nodes/httpRequest'), { recursive: true });
    await writeFile(join(folder, 'n8n/nodes/httpRequest/server.mjs'), COUNTING);
    server = new CaseServer();
  });
  afterEach(() => server.stop());
  afterAll(() => rm(folder, { recursive: true }));

  it('is started beside the case, remembers nothing from one case to the next, and is gone after stop', async () => {
    const testCase = inFolder('n8n/nodes/httpRequest/one.json');
    await server.prepare(testCase);
    expect([await ask(), await ask()]).toEqual(['1', '2']);
    await server.prepare(testCase);
    expect(await ask()).toBe('1');
    await server.stop();
    await expect(ask()).rejects.toThrow();
  });

  it('is found for cases in other folders of the collection', async () => {
    await server.prepare(inFolder('n8n/scenarios/deep/two.json'));
    expect(await ask()).toBe('1');
  });

  it('is not started for a case that does not need it', async () => {
    await server.prepare(inFolder('n8n/nodes/httpRequest/three.json', []));
    await expect(ask()).rejects.toThrow();
  });

  it('says who has the port when it is taken', async () => {
    const other = createServer().listen(18_099, '127.0.0.1');
    await new Promise((listening) => other.once('listening', listening));
    await expect(server.prepare(inFolder('n8n/nodes/httpRequest/four.json'))).rejects.toThrow(/another run.*18099/);
    await new Promise((closed) => other.close(closed));
  });

  it('says where it was looked for when there is none', async () => {
    const elsewhere = at(join(dirname(folder), 'argosy-no-such-folder', 'five.json'), ['http-server']);
    await expect(server.prepare(elsewhere)).rejects.toThrow('server.mjs');
  });
});
