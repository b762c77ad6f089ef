import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FleetProcess } from './fleet-process.ts';

const logFile = () => join(mkdtempSync(join(tmpdir(), 'argosy-fleet-')), 'logs', 'some.log');
const script = (text: string, file = logFile()) => new FleetProcess({ name: 'worker 1', command: process.execPath, args: ['-e', text], env: process.env, logFile: file });

describe('a process of the fleet', () => {
  it('says by which code it ended and what it said last, and logs it', async () => {
    const file = logFile();
    const ended = await script('console.error("no database"); process.exitCode = 3', file).ended;
    expect(ended).toContain('worker 1 ended with code 3');
    expect(ended).toContain('no database');
    expect(readFileSync(file, 'utf8')).toContain('no database');
  });

  it('is asked to drain before it is ended', async () => {
    const draining = script('process.on("SIGTERM", () => { console.log("drained"); process.exit(0) }); console.log("up"); setInterval(() => {}, 1000)');
    await new Promise((resolve) => setTimeout(resolve, 500));
    await draining.stop(5_000);
    expect(await draining.ended).toContain('drained');
  });

  it('is ended when its grace is over', async () => {
    const stubborn = script('process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)');
    await new Promise((resolve) => setTimeout(resolve, 500));
    await stubborn.stop(100);
    expect(await stubborn.ended).toContain('SIGKILL');
    expect(stubborn.hasEnded).toBe(true);
  });

  it('says so when it cannot be started', async () => {
    const missing = new FleetProcess({ name: 'API', command: '/nowhere/node', args: [], env: {}, logFile: logFile() });
    expect(await missing.ended).toContain('API could not be started');
    await missing.stop(100);
  });
});
