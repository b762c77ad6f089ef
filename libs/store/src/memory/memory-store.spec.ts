import { MemoryStore } from './memory-store.ts';
import { describeStore } from '../../testing/store.contract.ts';

describeStore('in memory', async () => {
  const store = new MemoryStore(Date.now);
  return { store, shiftClock: async (ms) => store.shiftClock(ms), close: () => store.close() };
});
