import type { Json } from '@app/engine';

/** Equality by content; the order of object keys does not count and a missing member equals an undefined one. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right || (Number.isNaN(left) && Number.isNaN(right))) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((element, index) => isEqual(element, right[index]));
  const a = left as Record<string, unknown>;
  const b = right as Record<string, unknown>;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => isEqual(a[key], b[key]));
}

/** A text that two values share exactly when they are equal by content; for maps keyed by values. */
export function contentKey(value: Json): string {
  if (typeof value === 'number') return Number.isFinite(value) ? `n${value}` : 'n!';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  if (Array.isArray(value)) return `[${value.map(contentKey).join(',')}]`;
  const record = value as { readonly [key: string]: Json };
  const keys = Object.keys(record)
    .filter((key) => record[key] !== undefined)
    .sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${contentKey(record[key])}`).join(',')}}`;
}

/**
 * Equality that forgives differences of type: blank values equal each other, numbers and booleans equal their texts,
 * objects equal their JSON texts.
 */
export function isFuzzyEqual(left: Json, right: Json): boolean {
  if (left !== null && right !== null && typeof left === typeof right) return isEqual(left, right);
  if (isBlank(left) && isBlank(right)) return true;
  return [tolerated(left, right), tolerated(right, left)].some(Boolean);
}

const isBlank = (value: Json): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

function tolerated(value: Json, other: Json): boolean {
  if (typeof value === 'number' && typeof other === 'string') return String(value) === other;
  if (typeof value === 'boolean' && typeof other === 'string') return String(value) === other.toLowerCase();
  if (typeof value === 'boolean' && typeof other === 'number') return Number(value) === other;
  if (typeof value === 'object' && value !== null && typeof other === 'string') return isEqual(value, parsed(other));
  return false;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
