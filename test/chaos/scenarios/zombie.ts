import { eventually } from '../eventually.ts';
import { LOST } from '../invariant-statements.ts';
import type { Stage } from '../stage.ts';
import { metricOf, type Member } from '../world/crew.ts';

/** Resolves as soon as a worker has activations in hand, and says how many. */
export async function untilBusy(stage: Stage, worker: string, atLeast = 1, withinMs = 20_000): Promise<number> {
  return eventually(`${worker} is busy`, withinMs, async () => {
    const rows = await stage.watcher.query(`select 1 from activations where status = 'x' and worker = '${worker}'`);
    return rows.length >= atLeast ? rows.length : null;
  }, 20);
}

/** What has to show when a worker was away for longer than its leases and came back: losses, and nothing written late. */
export async function expectZombie(stage: Stage, zombie: Member): Promise<void> {
  const lost = (await stage.watcher.query<{ worker: string }>(LOST)).filter(({ worker }) => worker === zombie.id);
  stage.verdict.struck('leases taken from it', lost.length);
  const noticed = await eventually('the zombie notices', 10_000, async () => (await metricOf(zombie.metricsUrl, 'fenced_writes_total')) + (await metricOf(zombie.metricsUrl, 'leases_lost_total')), 200).catch(() => 0);
  stage.verdict.struck('writes fenced or leases found lost', noticed);
  stage.verdict.expect(stage.crew.deaths.length === 0, 'A worker died instead of carrying on.');
}
