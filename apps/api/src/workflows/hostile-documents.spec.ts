import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { validate } from '@app/engine';
import { Random } from '@app/engine/testing/random.ts';
import { apiUnderTest, work, type ApiUnderTest } from '../../testing/api-under-test.ts';

const CASES = resolve('test/conformance/n8n/engine');
const MUTANTS = 1_500;

const documents = readdirSync(CASES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.json'))
  .sort()
  .map((file) => (JSON.parse(readFileSync(resolve(CASES, file), 'utf8')) as { workflow: unknown }).workflow);

const oddities: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => -1,
  () => 1e308,
  () => 0.5,
  () => '',
  () => '\0',
  () => '__proto__',
  () => 'constructor',
  () => '={{ $json',
  () => '={{ {{ }} }}',
  () => 'ä€𝄞\ud800',
  () => [],
  () => [[]],
  () => [null],
  () => ({}),
  () => ({ length: 3 }),
  () => JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}') as unknown,
  () => 'x'.repeat(10_000),
  () => Array.from({ length: 300 }, () => 1),
];

type Place = { readonly holder: { [key: string]: unknown } | unknown[]; readonly key: string | number };

function places(value: unknown, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return found;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    found.push({ holder: value as Place['holder'], key });
    places((value as { [key: string]: unknown })[key as string], found);
  }
  return found;
}

/** One to three wounds anywhere in a document that was whole. */
function mutant(seed: number): unknown {
  const random = new Random(`mutant ${seed}`);
  const document = structuredClone(random.pick(documents)) as { [key: string]: unknown };
  for (let wounds = random.int(1, 3); wounds > 0; wounds--) {
    const all = places(document);
    const { holder, key } = random.pick(all);
    const other = random.pick(all);
    const list = holder as { [key: string]: unknown };
    const wound = random.int(0, 3);
    if (wound === 0) delete list[key as string];
    else if (wound === 1) list[key as string] = structuredClone((other.holder as { [key: string]: unknown })[other.key as string]);
    else if (wound === 2 && typeof key === 'string') list[random.pick(['__proto__', 'constructor', 'toString', '', ' ', 'main'])] = list[key];
    else list[key as string] = random.pick(oddities)();
  }
  return document;
}

describe('documents that are not what they should be', () => {
  let api: ApiUnderTest;
  beforeAll(async () => {
    api = await apiUnderTest();
  });
  afterAll(() => api.app.close());

  it('are refused with a problem or saved and started, and never a fault of ours', async () => {
    const seen = { refused: 0, saved: 0, started: 0, notStarted: 0 };
    for (let seed = 1; seed <= MUTANTS; seed++) {
      const saved = await api.request('POST', '/api/v1/workflows', mutant(seed));
      expect(saved.status, `seed ${seed}: ${saved.text.slice(0, 300)}`).toBeLessThan(500);
      if (saved.status >= 300) {
        expect(saved.body, `seed ${seed}`).toMatchObject({ status: saved.status, title: expect.any(String), detail: expect.any(String) });
        seen.refused += 1;
        continue;
      }
      seen.saved += 1;
      const { program } = (await api.store.findVersion(saved.body.versionId))!;
      expect(validate(program).filter(({ severity }) => severity === 'error'), `seed ${seed}`).toEqual([]);
      const read = await api.request('GET', `/api/v1/workflows/${saved.body.id}`);
      expect(read.status, `seed ${seed}`).toBe(200);
      const started = await api.request('POST', `/api/v1/workflows/${saved.body.id}/executions`, { mode: 'manual' });
      expect(started.status, `seed ${seed}: ${started.text.slice(0, 300)}`).toBeLessThan(500);
      if (started.status >= 300) {
        seen.notStarted += 1;
        continue;
      }
      seen.started += 1;
      await work(api.store, undefined, 30);
      const shown = await api.request('GET', `/api/v1/executions/${started.body.id}?includeData=true`);
      expect(shown.status, `seed ${seed}: ${shown.text.slice(0, 300)}`).toBe(200);
      await api.request('POST', `/api/v1/executions/${started.body.id}/cancel`);
    }
    // A mutation that breaks everything, or nothing, tries nothing.
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(MUTANTS / 100);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  }, 60_000);
});
