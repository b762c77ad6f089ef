import type { Json, JsonObject } from '@app/engine';
import { NodeError } from '../node-error.ts';

/** Elements of a list that a path may skip. */
const LARGEST_GAP = 10_000;

type Container = { [key: string]: Json };

/** Names that would reach a prototype. A path through one of them reads nothing and writes nothing. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype']);
const segment = /[^.[\]]+|\[(?:(\d+)|(["'])(.*?)\2)\]/g;
const plainName = /^[^.[\]]*$/;

/** `a.b[0]["c d"]` → `["a", "b", "0", "c d"]`. */
export function pathOf(text: string): string[] {
  if (plainName.test(text)) return [text];
  return [...text.matchAll(segment)].map((match) => match[3] ?? match[1] ?? match[0]);
}

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

/** A key that exists literally wins over its reading as a path. */
const segmentsIn = (target: Json, name: string): string[] =>
  plainName.test(name) || (isContainer(target) && Object.hasOwn(target, name)) ? [name] : pathOf(name);

/** The value under a path, or under the literal key when `dots` is off. */
export function readPath(source: Json, name: string, dots = true): Json {
  let value: Json = source;
  for (const key of dots ? segmentsIn(source, name) : [name]) {
    if (!isContainer(value) || !Object.hasOwn(value, key)) return undefined;
    value = (value)[key];
  }
  return value;
}

/**
 * Sets a value under a path and creates what is missing on the way: a list before a number, else an object. Containers
 * on the path are copied first, since they may be shared with the input item; only `target` itself is changed.
 */
export function writePath(target: JsonObject, name: string, value: Json, dots = true): void {
  const segments = dots ? segmentsIn(target, name) : [name];
  if (segments.length === 0 || segments.some((key) => forbidden.has(key))) return;
  let container: Container = target;
  for (let depth = 0; depth < segments.length - 1; depth++) {
    const key = segments[depth]!;
    refuseGap(container, key, name);
    const child = ownCopy(container[key], segments[depth + 1]!);
    container[key] = child;
    container = child;
  }
  refuseGap(container, segments.at(-1)!, name);
  container[segments.at(-1)!] = value;
}

/** A gap in a list is written out, null by null. */
function refuseGap(container: Container, key: string, name: string): void {
  if (!Array.isArray(container) || !/^\d+$/.test(key) || Number(key) - container.length <= LARGEST_GAP) return;
  throw new NodeError(`The path "${name.slice(0, 100)}" sets element ${key} of a list with ${container.length} elements. At most ${LARGEST_GAP} may be left out in between.`, { retryable: false });
}

function ownCopy(value: Json, nextKey: string): Container {
  if (Array.isArray(value)) return [...(value as readonly Json[])] as unknown as Container;
  if (isContainer(value)) return { ...(value) };
  return (/^\d+$/.test(nextKey) ? [] : {}) as Container;
}

/** Removes what a path names; containers on the way are copied first. */
export function removePath(target: JsonObject, name: string, dots = true): void {
  const segments = dots ? segmentsIn(target, name) : [name];
  let container: Container = target;
  for (let depth = 0; depth < segments.length - 1; depth++) {
    const key = segments[depth]!;
    if (!isContainer(container[key]) || !Object.hasOwn(container, key)) return;
    const child = ownCopy(container[key], segments[depth + 1]!);
    container[key] = child;
    container = child;
  }
  delete container[segments.at(-1) ?? ''];
}
