/** Makes any change of a value, maps included, throw. Values that were frozen before are passed over. */
export function deepFreeze<T>(value: T): T {
  if (value === null || typeof value !== 'object' || frozen.has(value)) return value;
  frozen.add(value);
  if (value instanceof Map) {
    for (const [key, entry] of value) {
      deepFreeze(key);
      deepFreeze(entry);
    }
    for (const method of ['set', 'delete', 'clear'] as const) Object.defineProperty(value, method, { value: refuse });
  } else if (!(value instanceof Set)) for (const entry of Object.values(value)) deepFreeze(entry);
  return Object.freeze(value);
}

const frozen = new WeakSet<object>();

function refuse(): never {
  throw new Error('The step changed a map that it was given.');
}
