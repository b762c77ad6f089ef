import { MemoryDispatch } from './memory-dispatch.ts';
import { describeDispatch } from '../../testing/dispatch.contract.ts';

describeDispatch('memory', async () => {
  const shared = new MemoryDispatch({ redeliverMs: 50 });
  // One process is all there is: "several" dispatches are the same one.
  return { connect: async () => shared, close: () => shared.stop() };
});
