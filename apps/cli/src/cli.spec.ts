import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chain, passes } from '../../api/testing/api-under-test.ts';
import { cliUnderTest } from '../testing/cli-under-test.ts';

describe('argosy', () => {
  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'argosy-cli-'));
    file = join(folder, 'chain.json');
    await writeFile(file, JSON.stringify(chain()));
    await writeFile(join(folder, 'broken.json'), '{');
    await writeFile(join(folder, 'faulty.json'), JSON.stringify({ ...chain(), nodes: [{}, {}] }));
  });
  afterAll(() => rm(folder, { recursive: true }));

  describe('called badly', () => {
    it.each([
      [['sail'], 'sail'],
      [[], 'Which command'],
      [['workflow'], 'import, list, publish'],
      [['workflow', 'burn'], 'import, list, publish'],
      [['execution', 'show'], 'ID'],
      [['execution', 'show', '1', '2'], '"2"'],
      [['execution', 'show', 'one'], 'digits'],
      [['execution', 'list', '--color'], '--color'],
      [['execution', 'list', '--limit', '0'], '--limit'],
      [['execution', 'list', '--status', 'odd'], 'success'],
      [['run', 'nowhere.json'], 'no such file'],
      [['run', '--scheduling', 'fast', 'x.json'], 'serial'],
    ])('with %j it ends with 2, says what is wrong and what to try', async (args, hint) => {
      const { code, out, notes } = await (await cliUnderTest()).argosy(...args);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(notes).toMatch(/^argosy: .+\n {2}.+\n$/s);
      expect(notes).toContain(hint);
    });

    it.each([[['--input', '{']], [['--input', '[1]']], [['--input', '@nowhere.json']]])('with the input %j it ends with 2', async (input) => {
      expect((await (await cliUnderTest()).argosy('run', file, ...input)).code).toBe(2);
    });

    it('with a file that is not JSON it ends with 2', async () => {
      expect((await (await cliUnderTest()).argosy('workflow', 'import', join(folder, 'broken.json'))).code).toBe(2);
    });
  });

  it.each([[['--help']], [['workflow', '--help']], [['run', '--help']]])('explains itself for %j', async (args) => {
    const { code, out } = await (await cliUnderTest()).argosy(...args);
    expect(code).toBe(0);
    expect(out).toContain('argosy run FILE');
  });

  it('tells its version, and what each option is for', async () => {
    const { argosy } = await cliUnderTest();
    expect(await argosy('--version')).toMatchObject({ code: 0, out: '0.0.0-test\n' });
    const { out } = await argosy('run', '--help');
    expect(out).toMatch(/^ {2}--input VALUE +Items for the start node: a JSON list of objects, or @FILE with one/m);
    for (const line of out.split('\n').filter((each) => each.startsWith('  --'))) expect(line).toMatch(/^ {2}--\S+( VALUE)? +[A-Za-z].*\.$/);
  });

  it('shows shortly what the last node gave', async () => {
    const items = Array.from({ length: 5 }, (_, n) => ({ json: { n, text: n === 1 ? 'x'.repeat(1_000) : '\u001b[31m' } }));
    const { argosy } = await cliUnderTest({ behavior: () => ({ kind: 'done', outputs: [{ port: 0, count: 5, items }], effects: [] }) });
    const { out } = await argosy('run', file);
    const shown = out.slice(out.indexOf('"B" gave')).split('\n');
    expect(shown).toEqual(['"B" gave 5 items:', expect.stringContaining('{"n":0,'), expect.stringMatching(/x{200,}…$/), expect.stringContaining('{"n":2,'), '  … and 2 more', '']);
    expect(out).not.toContain('\u001b');
  });

  it('imports under the same name as a new version, and publishes when asked', async () => {
    const { argosy } = await cliUnderTest();
    const [first] = JSON.parse((await argosy('workflow', 'import', file, '--json')).out);
    const [second] = JSON.parse((await argosy('workflow', 'import', file, '--publish', '--json')).out);
    expect(second).toMatchObject({ id: first.id, versionCounter: 2, activeVersionId: second.versionId });
    expect(JSON.parse((await argosy('workflow', 'list', '--json')).out)).toHaveLength(1);
    expect((await argosy('workflow', 'list')).out).toMatch(/^id\s+name\s+active\s+version\s+updated\n\S+\s+chain\s+yes\s+2\s/);
  });

  it('tells every fault of a document that the API refuses', async () => {
    const { code, notes } = await (await cliUnderTest()).argosy('workflow', 'import', join(folder, 'faulty.json'));
    expect(code).toBe(1);
    expect(notes.match(/\$\.nodes\[\d\]/g)!.length).toBeGreaterThan(1);
  });

  it('starts by name, watches to the end, shows and lists', async () => {
    const { argosy } = await cliUnderTest({ behavior: passes });
    await argosy('workflow', 'import', file);
    const started = await argosy('execution', 'start', 'chain', '--input', '[{"a":1}]', '--watch');
    expect(started.code).toBe(0);
    const id = /execution (\d+)/.exec(started.out)![1]!;
    expect(started.notes).toMatch(/Start success.*\nA success.*\nB success/);
    expect((await argosy('execution', 'show', id)).out).toMatch(/node\s+run\s+worker\s+status\s+items\s+ms\nStart\s+0\s+worker-1\s+success\s+1\s+5\n/);
    expect(JSON.parse((await argosy('execution', 'show', id, '--json')).out).data.resultData.runData.B).toHaveLength(1);
    expect(JSON.parse((await argosy('execution', 'list', '--json', '--status', 'success', '--workflow', 'chain')).out)).toEqual([expect.objectContaining({ id })]);
  });

  it('starts once per key', async () => {
    const { argosy } = await cliUnderTest();
    await argosy('workflow', 'import', file);
    const once = async () => JSON.parse((await argosy('execution', 'start', 'chain', '--key', 'k', '--json')).out);
    const first = await once();
    expect(await once()).toEqual({ id: first.id, existing: true });
  });

  it('ends with 1 when the execution it follows fails, and retries it', async () => {
    const { argosy } = await cliUnderTest({ behavior: () => ({ kind: 'failed', error: { message: 'no luck' } }) });
    const failed = await argosy('run', file);
    expect(failed.code).toBe(1);
    expect(failed.out).toContain('no luck (node "Start")');
    const id = /execution (\d+)/.exec(failed.out)![1]!;
    expect((await argosy('execution', 'watch', id)).code).toBe(1);
    expect(JSON.parse((await argosy('execution', 'retry', id, '--json')).out)).toMatchObject({ retryOf: id });
    expect((await argosy('execution', 'retry', '999')).code).toBe(1);
  });

  it('cancels', async () => {
    const { argosy } = await cliUnderTest();
    await argosy('workflow', 'import', file);
    const { id } = JSON.parse((await argosy('execution', 'start', 'chain', '--json')).out);
    expect((await argosy('execution', 'cancel', id)).out).toBe(`execution ${id}: canceled\n`);
  });

  it('runs a file on the fleet that is there', async () => {
    const { argosy, fleetLog } = await cliUnderTest({ behavior: passes });
    const { code, out } = await argosy('run', file, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ status: 'success', data: { resultData: { lastNodeExecuted: 'B' } } });
    expect(fleetLog).toEqual([]);
  });

  it('runs a file on a fleet of its own when there is none, and stops that', async () => {
    const { argosy, fleetLog } = await cliUnderTest({ behavior: passes, isDown: true });
    expect((await argosy('run', file, '--workers', '3')).code).toBe(0);
    expect(fleetLog).toEqual(['up 3', 'stop']);
  });

  it('starts nothing when an API was named that is away', async () => {
    const { argosy, fleetLog } = await cliUnderTest({ isDown: true, isUrlGiven: true });
    const { code, notes } = await argosy('run', file);
    expect({ code, fleetLog }).toEqual({ code: 1, fleetLog: [] });
    expect(notes).toContain('ARGOSY_URL');
  });

  it('names the key when the API wants one', async () => {
    const { code, notes } = await (await cliUnderTest({ keys: ['secret'], key: 'wrong' })).argosy('workflow', 'list');
    expect(code).toBe(1);
    expect(notes).toContain('ARGOSY_API_KEY');
    expect((await (await cliUnderTest({ keys: ['secret'], key: 'secret' })).argosy('workflow', 'list')).code).toBe(0);
  });

  it('finds out what ails a fleet', async () => {
    expect((await (await cliUnderTest()).argosy('doctor')).out).toMatch(/API key\s+ok/);
    const away = await (await cliUnderTest({ isDown: true })).argosy('doctor');
    expect(away.code).toBe(1);
    expect(away.out).toContain('argosy up');
    expect((await (await cliUnderTest({ keys: ['secret'] })).argosy('doctor', '--json')).code).toBe(1);
  });

  it('writes over one line while somebody watches', async () => {
    const { argosy } = await cliUnderTest({ behavior: passes, columns: 60 });
    const { notes } = await argosy('run', file);
    expect(notes).toContain('\r\u001b[K');
    for (const line of notes.split('\r\u001b[K')) expect(line.length).toBeLessThan(60);
    expect(notes.endsWith('\r\u001b[K')).toBe(true);
  });

  it.each(['api', 'worker', 'migrate'])('becomes a process of a fleet: %s', async (role) => {
    const { argosy, fleetLog } = await cliUnderTest();
    expect((await argosy(role)).code).toBe(0);
    expect(fleetLog).toEqual([role]);
  });

  it('demonstrates the examples and fails when only one worker took part', async () => {
    const { argosy, fleetLog } = await cliUnderTest({ behavior: passes, isDown: true });
    const { code, out } = await argosy('up', '--demo', '--once');
    expect(out).toContain('fan-out, hello, loop, retry, wait');
    expect(out).toMatch(/Count 1\s+0\s+worker-1\s+success/);
    expect(out).toContain('1 workers took part');
    expect({ code, fleetLog }).toEqual({ code: 1, fleetLog: ['up 2', 'stop'] });
  });
});
