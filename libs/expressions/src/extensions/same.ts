/** A text that two values share exactly when they are deeply equal. Sets of these replace comparing all pairs. */
export function identity(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(identity).join()}]`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return `<${String(value)}>`;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${identity(field)}`).join()}}`;
}

export function unique(values: readonly unknown[], identityOf: (value: unknown) => string = identity): unknown[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const id = identityOf(value);
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}
