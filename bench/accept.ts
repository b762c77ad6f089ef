import { scaled, type Benchmark } from './benchmark.ts';
import { chainDocument } from './documents.ts';
import { inParallel, median, timed } from './load.ts';
import { Argosy } from './systems/argosy.ts';
import { atLeast, targets } from './targets.ts';

const input = JSON.stringify({ items: [{ json: { n: 0 } }] });

/** How fast the API makes starts durable, while no worker takes them. */
export const accept: Benchmark = async (settings, earlier) => {
  const argosy = await Argosy.start(settings.redisUrl, 0);
  try {
    const workflow = await argosy.save(chainDocument(10));
    const round = (count: number): Promise<number> => timed(() => inParallel(count, 128, () => argosy.startExecution(workflow, input)));
    await round(scaled(settings, 500, 3));
    const rates: number[] = [];
    for (let turn = 1; turn <= settings.rounds; turn += 1) {
      const count = scaled(settings, 2_000, 5);
      rates.push((count / (await round(count))) * 1_000);
      settings.say(`accept round ${turn}: ${rates.at(-1)!.toFixed(0)} starts/s`);
    }
    const rate = median(rates);
    const chain10 = earlier.get('chain10')?.figures['argosy_executions_per_second'];
    return { figures: { starts_per_second: rate }, verdicts: typeof chain10 === 'number' ? [atLeast("accept: starts/s as a multiple of chain10's executions/s", rate / chain10, targets.accept.timesChain10)] : [] };
  } finally {
    await argosy.stop();
  }
};
