import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../../../scripts/services/free-port.mjs';
import { FleetProcess } from './fleet-process.ts';
import { untilReady } from './until-ready.ts';
import { untilSilent } from './until-silent.ts';

async function server(blockAfterMs: number) {
  const port = await freePort();
  const text = `require('node:http').createServer((_, answer) => answer.end('ok')).listen(${port}, '127.0.0.1'); setTimeout(() => { for (;;); }, ${blockAfterMs});`;
  const process_ = new FleetProcess({ name: 'worker 1', command: process.execPath, args: ['-e', text], env: process.env, logFile: join(mkdtempSync(join(tmpdir(), 'argosy-silent-')), 'some.log') });
  const url = `http://127.0.0.1:${port}/livez`;
  await untilReady(process_, url);
  return { process: process_, url };
}

describe('a process that no longer answers', () => {
  it('is found blocked, and killing it ends it', async () => {
    const { process, url } = await server(1_500);
    await untilSilent(process, { url, everyMs: 100, misses: 3 });
    expect(process.hasEnded).toBe(false);
    process.kill();
    expect(await process.ended).toContain('SIGKILL');
  });

  it('is let be as long as it answers', async () => {
    const { process, url } = await server(60_000);
    const silent = untilSilent(process, { url, everyMs: 100, misses: 3 }).then(() => 'silent');
    expect(await Promise.race([silent, new Promise((resolve) => setTimeout(() => resolve('alive'), 1_500))])).toBe('alive');
    process.kill();
    await silent;
  });
});
