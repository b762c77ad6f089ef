import { scaled, type Benchmark } from './benchmark.ts';
import { compactedSize } from './disk.ts';
import { loopDocument } from './documents.ts';
import { median } from './load.ts';
import { watchMemory } from './processes.ts';
import { Argosy } from './systems/argosy.ts';
import { atMost, targets } from './targets.ts';

/** What was known of the execution at a moment: how many steps it had committed, how much log all of them had written. */
interface Sample {
  readonly commits: number;
  readonly logBytes: number;
  readonly atMs: number;
}

/** 5,000 passes of a loop: a step must not cost more the longer its execution has been going on. */
export const loop: Benchmark = async (settings) => {
  const argosy = await Argosy.start(settings.redisUrl, 1);
  try {
    const workflow = await argosy.save(loopDocument());
    const itemsOf = (count: number): string => JSON.stringify({ items: Array.from({ length: count }, (_, index) => ({ json: { index, text: `item ${index}` } })) });
    const passes = scaled(settings, 5_000, 30);
    const span = Math.min(100, Math.floor(passes / 4));
    // The first steps of a process pay for its compilers: they would flatter the last.
    await argosy.run(workflow, 1, 1, itemsOf(Math.min(passes, 1_000)));
    const memory = watchMemory(argosy.workerPids);
    const [first, last]: [Cost[], Cost[]] = [[], []];
    for (let round = 1; round <= Math.min(3, settings.rounds); round += 1) {
      const samples = await watched(argosy, await argosy.startExecution(workflow, itemsOf(passes)));
      const end = samples.at(-1)!.commits;
      // The very first steps carry all the items once; the very last one ends the execution.
      first.push(between(samples, 5, 5 + span));
      last.push(between(samples, end - 5 - span, end - 5));
      settings.say(`loop round ${round}: first ${span} steps ${describe(first.at(-1)!)}, last ${describe(last.at(-1)!)}`);
    }
    const peakMb = memory.stop();
    const size = await compactedSize(argosy.fleet.database);
    const of = (costs: readonly Cost[], what: keyof Cost): number => median(costs.map((cost) => cost[what]));
    return {
      figures: { passes, first_ms: of(first, 'ms'), last_ms: of(last, 'ms'), first_bytes: of(first, 'bytes'), last_bytes: of(last, 'bytes'), worker_peak_mb: peakMb, bytes_on_disk: size.bytes, bytes_of_items: size.itemBytes, steps: size.steps },
      verdicts: [
        atMost('loop: milliseconds of the last steps as a multiple of the first', of(last, 'ms') / of(first, 'ms'), targets.loop.timesFirst),
        atMost('loop: bytes of the last steps as a multiple of the first', of(last, 'bytes') / of(first, 'bytes'), targets.loop.timesFirst),
        atMost('loop: peak MB of a worker', peakMb, targets.memory.workerMb),
        atMost('loop: bytes on disk', size.bytes, size.allowed),
      ],
    };
  } finally {
    await argosy.stop();
  }
};

interface Cost {
  readonly ms: number;
  readonly bytes: number;
}

const describe = ({ ms, bytes }: Cost): string => `${ms.toFixed(0)} ms and ${(bytes / 1024).toFixed(0)} kB`;

/** Follows an execution to its end, by the counter that every step rewrites and the log that every byte goes through. */
async function watched(argosy: Argosy, id: string): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (;;) {
    const [row] = await argosy.fleet.database.query<{ commits: number; log: string; at: string }>(
      "select h.commits, pg_current_wal_insert_lsn() - '0/0' as log, extract(epoch from clock_timestamp()) * 1000 as at from execution_heads h where h.execution_id = $1",
      [id],
    );
    if (!row) return samples;
    samples.push({ commits: row.commits, logBytes: Number(row.log), atMs: Number(row.at) });
    await new Promise((done) => setTimeout(done, 5));
  }
}

/** What the steps between two commits cost, read between the samples in a straight line. */
function between(samples: readonly Sample[], from: number, to: number): Cost {
  const at = (commits: number): Sample => {
    const after = Math.max(1, samples.findIndex((sample) => sample.commits >= commits));
    const [low, high] = [samples[after - 1]!, samples[after]!];
    const share = (commits - low.commits) / Math.max(1, high.commits - low.commits);
    const mix = (a: number, b: number): number => a + (b - a) * share;
    return { commits, logBytes: mix(low.logBytes, high.logBytes), atMs: mix(low.atMs, high.atMs) };
  };
  const [begin, end] = [at(from), at(to)];
  return { ms: end.atMs - begin.atMs, bytes: end.logBytes - begin.logBytes };
}
