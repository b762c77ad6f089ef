import type { Random } from '../random.ts';

const GARBAGE: readonly unknown[] = [null, -1, 0, 1, 2, 7, 1.5, 1e9, 1e308, '', 'map', 'data', 'on', 'fifo', 'allSlots', true, false, [], [0], [0, 1], [[0]], {}, { kind: 'doWhile' }, { kind: 'select' }, { kind: 'map', maxConcurrency: 0, batch: 0 }, { kind: 'port', port: 9 }];

/** A deep copy of a JSON value with a few random places changed, removed or copied from elsewhere in it. */
export function damaged(random: Random, value: unknown): unknown {
  const copy = JSON.parse(JSON.stringify(value)) as unknown;
  for (let times = random.int(1, 3); times > 0; times--) damageOnce(random, copy);
  return copy;
}

function damageOnce(random: Random, root: unknown): void {
  const places: { holder: Record<string, unknown>; key: string }[] = [];
  const collect = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    for (const key of Object.keys(value)) {
      places.push({ holder: value as Record<string, unknown>, key });
      collect((value as Record<string, unknown>)[key]);
    }
  };
  collect(root);
  const { holder, key } = random.pick(places);
  const kind = random.int(0, 3);
  if (kind === 0 && Array.isArray(holder)) holder.splice(Number(key), 1);
  else if (kind === 0) delete holder[key];
  else if (kind === 1) {
    const other = random.pick(places);
    holder[key] = JSON.parse(JSON.stringify(other.holder[other.key] ?? null));
  } else if (kind === 2 && typeof holder[key] === 'number') holder[key] += random.pick([-1, 1, 1, 2]);
  else holder[key] = structuredClone(random.pick(GARBAGE));
}
