import type { Json } from '@app/engine';

// More ports than anybody draws; a number beyond is a mistake, and lists of ports are allocated from it.
const most = 256;

/** A number of inputs or outputs as a parameter gives it. Anything that is no such number, an expression too, gives `fallback`. */
export function portCount(value: Json, fallback: number): number {
  const count = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  return Number.isInteger(count) && count >= 0 && count <= most ? count : fallback;
}
