import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Item, JsonObject } from '@app/engine';

export interface TestCase {
  readonly name: string;
  /** Where it was read from. */
  readonly file: string;
  readonly about: string;
  readonly quirk?: string;
  readonly needs?: readonly string[];
  readonly credentials?: readonly { readonly id: string; readonly name: string; readonly type: string; readonly data: JsonObject }[];
  readonly workflow: JsonObject & { readonly nodes: readonly JsonObject[]; readonly name: string };
  readonly start: {
    readonly mode: 'trigger' | 'webhook' | 'error' | 'manual';
    readonly node?: string;
    readonly items?: readonly Item[];
    readonly destination?: string;
    readonly repeat?: number;
    readonly resume?: readonly { readonly by: 'time' }[];
  };
  readonly expected: CaseResult;
}

export interface CaseRun {
  readonly status: string;
  readonly source: readonly (JsonObject | null)[];
  readonly outputs?: readonly (readonly Item[] | null)[];
  readonly error?: { readonly message: string };
}

export interface CaseResult {
  readonly status: string;
  readonly error?: { readonly message?: string; readonly node?: string };
  readonly lastNodeExecuted?: string;
  readonly order?: readonly string[];
  readonly runData?: { readonly [node: string]: readonly CaseRun[] };
  readonly staticData?: JsonObject;
}

/** Reads the case files below some folders, by name. */
export async function readCases(folders: readonly string[]): Promise<TestCase[]> {
  const files = (await Promise.all(folders.map(filesBelow))).flat().sort();
  const cases = await Promise.all(files.map(async (file) => ({ ...(JSON.parse(await readFile(file, 'utf8')) as TestCase), file })));
  return cases.filter((testCase) => typeof testCase.name === 'string' && testCase.workflow !== undefined && testCase.expected !== undefined);
}

async function filesBelow(path: string): Promise<string[]> {
  if ((await stat(path)).isFile()) return path.endsWith('.json') ? [path] : [];
  const entries = await readdir(path, { withFileTypes: true });
  const nested = await Promise.all(entries.map((entry) => filesBelow(join(path, entry.name))));
  return nested.flat();
}
