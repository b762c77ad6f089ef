import { scaled, type Benchmark } from './benchmark.ts';
import { fanoutDocument, oneNodeDocument } from './documents.ts';
import { median } from './load.ts';
import { Argosy } from './systems/argosy.ts';
import { atMost, targets } from './targets.ts';

/** A thousand branches and the 111 Merges that join them, against as many executions that have nothing in common. */
export const fanout: Benchmark = async (settings) => {
  const argosy = await Argosy.start(settings.redisUrl, 4);
  try {
    const branches = scaled(settings, 1_000, 20);
    const [joined, single] = [await argosy.save(fanoutDocument(branches)), await argosy.save(oneNodeDocument())];
    // Whoever is first compiles programs and warms up for the others.
    await argosy.run(joined, 1, 1);
    await argosy.run(single, scaled(settings, 200, 1), 64);
    const [fanouts, independents]: [number[], number[]] = [[], []];
    for (let round = 1; round <= settings.rounds; round += 1) {
      fanouts.push(await argosy.run(joined, 1, 1));
      independents.push(await argosy.run(single, branches, 64));
      settings.say(`fanout round ${round}: joined ${fanouts.at(-1)!.toFixed(0)} ms, independent ${independents.at(-1)!.toFixed(0)} ms`);
    }
    const [joinedMs, independentMs] = [median(fanouts), median(independents)];
    return {
      figures: { branches, joined_ms: joinedMs, independent_ms: independentMs },
      verdicts: [atMost('fanout: time as a multiple of that of independent executions', joinedMs / independentMs, targets.fanout.timesIndependent)],
    };
  } finally {
    await argosy.stop();
  }
};
