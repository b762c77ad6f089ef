import { cpus, totalmem } from 'node:os';
import { Client } from 'pg';
import type { Result } from './benchmark.ts';
import { commitOfCheckout } from './processes.ts';
import type { Verdict } from './targets.ts';

export interface Report {
  readonly machine: { readonly processor: string; readonly cores: number; readonly memoryGb: number; readonly node: string; readonly postgres: string };
  readonly commit: string;
  readonly date: string;
  readonly settings: { readonly [name: string]: unknown };
  readonly figures: { readonly [benchmark: string]: Result['figures'] };
  readonly ratios: { readonly [what: string]: number };
  readonly targets: { readonly [what: string]: { readonly must: string; readonly target: number; readonly isMet: boolean } };
  readonly verdict: 'met' | 'missed';
}

export async function report(results: ReadonlyMap<string, Result>, { peers, rounds, scale }: { readonly peers: readonly string[]; readonly rounds: number; readonly scale: number }): Promise<Report> {
  const verdicts: Verdict[] = [...results.values()].flatMap((result) => result.verdicts);
  const postgres = await serverSettings();
  return {
    machine: { processor: cpus()[0]?.model ?? 'unknown', cores: cpus().length, memoryGb: Math.round(totalmem() / 2 ** 30), node: process.version, postgres: postgres['server_version']! },
    commit: commitOfCheckout(),
    date: new Date().toISOString(),
    settings: { peers, rounds, scale, fsync: postgres['fsync'], synchronous_commit: postgres['synchronous_commit'], full_page_writes: postgres['full_page_writes'], shared_buffers: postgres['shared_buffers'] },
    figures: Object.fromEntries([...results].map(([name, { figures }]) => [name, Object.fromEntries(Object.entries(figures).map(([what, value]) => [what, typeof value === 'number' ? rounded(value) : value.map(rounded)]))])),
    ratios: Object.fromEntries(verdicts.map(({ what, measured }) => [what, rounded(measured)])),
    targets: Object.fromEntries(verdicts.map(({ what, must, target, isMet }) => [what, { must, target: rounded(target), isMet }])),
    verdict: verdicts.every(({ isMet }) => isMet) ? 'met' : 'missed',
  };
}

export function sentences(whole: Report): string {
  const { machine, commit, date, figures, ratios, targets, verdict } = whole;
  const lines = [
    `${machine.cores} × ${machine.processor}, ${machine.memoryGb} GB, Node ${machine.node}, Postgres ${machine.postgres}; commit ${commit}, ${date}`,
    ...Object.entries(figures).flatMap(([name, values]) => ['', name, ...Object.entries(values).map(([what, value]) => `  ${what.padEnd(34)} ${String(value)}`)]),
    '',
    ...Object.entries(targets).map(([what, { must, target, isMet }]) => `${isMet ? 'met   ' : 'MISSED'} ${what}: ${ratios[what]}, must ${must} ${target}`),
    '',
    `Targets ${verdict}.`,
  ];
  return `${lines.join('\n')}\n`;
}

const rounded = (value: number): number => (Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3)));

/** What durability means for the figures stands beside them. */
async function serverSettings(): Promise<{ [name: string]: string }> {
  const client = new Client({ connectionString: process.env['DATABASE_URL'] });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; setting: string }>("select name, setting from pg_settings where name in ('server_version', 'fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers')");
    return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  } finally {
    await client.end();
  }
}
