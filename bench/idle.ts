import { scaled, type Benchmark } from './benchmark.ts';
import { oneNodeDocument } from './documents.ts';
import { cpuMs } from './processes.ts';
import { Argosy } from './systems/argosy.ts';
import { atMost, targets } from './targets.ts';

/** A fleet with nothing to do, after it has had something to do. */
export const idle: Benchmark = async (settings) => {
  const argosy = await Argosy.start(settings.redisUrl, 2);
  try {
    await argosy.run(await argosy.save(oneNodeDocument()), scaled(settings, 200, 1), 16);
    await new Promise((done) => setTimeout(done, scaled(settings, 5_000, 50)));
    const watched = { api: argosy.fleet.api.pid, worker_1: argosy.workerPids[0]!, worker_2: argosy.workerPids[1]! };
    const windowMs = scaled(settings, 30_000, 200);
    const before = Object.values(watched).map(cpuMs);
    await new Promise((done) => setTimeout(done, windowMs));
    const percents = Object.entries(watched).map(([name, pid], index) => [`${name}_cpu_percent`, ((cpuMs(pid) - before[index]!) / windowMs) * 100] as const);
    return { figures: Object.fromEntries(percents), verdicts: percents.map(([name, percent]) => atMost(`idle: ${name}`, percent, targets.idle.cpuPercent)) };
  } finally {
    await argosy.stop();
  }
};
