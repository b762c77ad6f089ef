import type { Telemetry } from '@app/telemetry';
import type { Store } from './store.ts';

/** Sets the gauges of what is ready and how old it is; leaves them as they are while the store is away. */
export async function measureReady(store: Pick<Store, 'health'>, telemetry: Telemetry): Promise<void> {
  const { ok, readyDepth, oldestReadyMs } = await store.health();
  if (!ok) return;
  telemetry.set('ready_depth', readyDepth);
  telemetry.set('oldest_ready_seconds', oldestReadyMs / 1000);
}
