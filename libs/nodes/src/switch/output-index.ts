import type { Json } from '@app/engine';
import { NodeError } from '../node-error.ts';

/** A chosen output as an index. Throws when there is no such output. */
export function outputIndex(chosen: Json, count: number, itemIndex: number): number {
  const index = Number.parseInt(String(chosen), 10);
  if (Number.isInteger(index) && index >= 0 && index < count) return index;
  throw new NodeError(`The output ${String(chosen)} does not exist. It has to be between 0 and ${count - 1}. [item ${itemIndex}]`, {
    itemIndex,
    retryable: false,
  });
}
