import { scaled, type Benchmark, type BenchSettings, type Result } from './benchmark.ts';
import { compactedSize } from './disk.ts';
import { chainDocument } from './documents.ts';
import { median } from './load.ts';
import { watchMemory } from './processes.ts';
import { Argosy } from './systems/argosy.ts';
import { startDbos } from './systems/dbos.ts';
import { installPeers } from './systems/peer-process.ts';
import { startRestate } from './systems/restate.ts';
import type { System } from './systems/system.ts';
import { atLeast, atMost, targets, type Verdict } from './targets.ts';

const steps = 11;
const input = JSON.stringify({ items: [{ json: { n: 0 } }] });
const startPeer = { dbos: startDbos, restate: startRestate };

/**
 * Ten nodes in a row, each with one expression, behind a trigger; the peers run ten steps that compute the same. All
 * systems are up the whole time and take turns, so that a machine that changes its pace changes it for all of them.
 */
export const chain10: Benchmark = async (settings) => {
  // One worker: a second one would only share the two cores with the first. Many slots, so that commits find company.
  const argosy = await Argosy.start(settings.redisUrl, 1, { workerEnv: { WORKER_SLOTS: '200' } });
  const systems: System[] = [argosy.asSystem(await argosy.save(chainDocument(10)), input, 64)];
  try {
    if (settings.peers.length > 0) await installPeers();
    for (const peer of settings.peers) systems.push(await startPeer[peer]());
    return await measure(settings, argosy, systems);
  } finally {
    for (const system of systems) await system.stop();
  }
};

async function measure(settings: BenchSettings, argosy: Argosy, systems: readonly System[]): Promise<Result> {
  const memory = watchMemory(argosy.workerPids);
  for (const system of systems) await system.throughput(scaled(settings, 300, 3), system.concurrency);
  const rates = new Map(systems.map(({ name }) => [name, [] as number[]]));
  const waits = new Map(systems.map(({ name }) => [name, [] as number[]]));
  for (let round = 1; round <= settings.rounds; round += 1) {
    for (const system of systems) {
      const count = scaled(settings, system.runSize, 3);
      const rate = (count / (await system.throughput(count, system.concurrency))) * 1_000;
      rates.get(system.name)!.push(rate);
      settings.say(`chain10 round ${round}: ${system.name} ${rate.toFixed(0)} executions/s`);
    }
    for (const system of systems) for (let turn = 0; turn < scaled(settings, 20, 1); turn += 1) waits.get(system.name)!.push(await system.latency());
  }
  const peakMb = memory.stop();
  const size = await compactedSize(argosy.fleet.database);

  const figures: { [name: string]: number } = { worker_peak_mb: peakMb, bytes_on_disk: size.bytes, bytes_of_items: size.itemBytes, steps: size.steps };
  for (const { name } of systems) {
    figures[`${name}_executions_per_second`] = median(rates.get(name)!);
    figures[`${name}_p50_ms`] = median(waits.get(name)!);
  }
  figures['argosy_steps_per_second'] = figures['argosy_executions_per_second']! * steps;
  return { figures, verdicts: [...against(systems, figures), atMost('chain10: peak MB of a worker', peakMb, targets.memory.workerMb), atMost('chain10: bytes on disk', size.bytes, size.allowed)] };
}

function against(systems: readonly System[], figures: { readonly [name: string]: number }): Verdict[] {
  const ratio = (peer: string): number => figures['argosy_executions_per_second']! / figures[`${peer}_executions_per_second`]!;
  const { timesDbos, timesRestate, latencyOfDbos } = targets.chain10;
  return systems.flatMap(({ name }) => {
    if (name === 'restate') return [atLeast('chain10: executions/s as a multiple of Restate', ratio(name), timesRestate)];
    if (name !== 'dbos') return [];
    return [atLeast('chain10: executions/s as a multiple of DBOS', ratio(name), timesDbos), atMost('chain10: p50 of an idle execution as a share of DBOS', figures['argosy_p50_ms']! / figures['dbos_p50_ms']!, latencyOfDbos)];
  });
}
