import type { Instant, Json } from './json.ts';

/**
 * Which iterations or branches of regions an activation is inside of: `''` for the root, else segments
 * `region.index` joined by `/`, for instance `4.0/7.2`. Digits, dots and slashes only.
 */
export type ScopePath = string;

export const ROOT: ScopePath = '';

/** Identity of one firing of one node in one scope; with the execution's id it is unique for ever. */
export interface ActivationKey {
  readonly scope: ScopePath;
  readonly node: number;
  /** How often the node fired in this scope before. */
  readonly seq: number;
}

/** Names the items that one run sent out of one port. They are written once and never change. */
export interface OutputRef {
  /** Set when the run belongs to another execution (rerun, fork, child result). */
  readonly execution?: string;
  readonly scope: ScopePath;
  readonly node: number;
  readonly seq: number;
  /** Port, or START_PORT for items an execution began with. */
  readonly port: number;
  /** Number of items. */
  readonly count: number;
  /** The reader replaces the pairing of item i by {item: i, input}: the run passed its input through. */
  readonly restamp?: number;
}

/** The pseudo port of the items an execution (or a resumed activation) was given from outside. */
export const START_PORT = -1;

/** What lies on an input of an activation: items of a run, and the run that delivered them (null: from outside). */
export interface InputToken {
  readonly edge: number;
  readonly ref: OutputRef | null;
  readonly from: ActivationKey & { readonly port: number } | null;
}

/** The right to fire once, with everything it fires with. */
export interface Firing {
  readonly scope: ScopePath;
  readonly node: number;
  /** By input index; null where nothing arrived. */
  readonly inputs: readonly (InputToken | null)[];
  readonly cause: 'start' | 'token' | 'starved' | 'region' | 'forced' | 'invoke';
  /** For a region node: what its driver asks of this run. */
  readonly phase?: RegionPhase;
  /** For an invocation: what it is called with. */
  readonly arguments?: Json;
}

export type RegionPhase = 'enter' | 'next';

export interface NewActivation extends Firing, ActivationKey {
  /** When it may be claimed. */
  readonly readyAt: Instant;
}

export interface Suspension {
  /** What wakes it by name; unique among the suspensions of a scope. */
  readonly key: string;
  readonly wait: 'time' | 'callback' | 'human' | 'children';
  /** Wakes by itself at this time; null: never. */
  readonly until: Instant | null;
  /** The payload becomes the output, or the node runs again with it. */
  readonly resume: 'complete' | 'reenter';
  /** For `children`: how many must end. */
  readonly children: number;
}

/** Why a suspended activation goes on. */
export interface Resume {
  readonly cause: 'time' | 'signal' | 'children';
  readonly payload: Json;
}

/** An activation as a worker holds it. */
export interface OpenActivation extends Firing, ActivationKey {
  /** Tries begun, this one included. */
  readonly attempt: number;
  /** Tries among them that were lost with their worker; they do not count against the node's retry policy. */
  readonly losses: number;
  /** How often it was begun again after a wait; that is no try either. */
  readonly wakes: number;
  /** It counts among the suspended ones of its scope until it settles. */
  readonly wasSuspended: boolean;
  readonly resume: Resume | null;
}

/** `<execution>_<scope>_<node>_<seq>`; what travels through a queue, so no `:` and never digits only. */
export function activationId(execution: string, key: ActivationKey): string {
  return `${execution}_${key.scope.replaceAll('/', '-') || 'r'}_${key.node}_${key.seq}`;
}

const ID = /^(\d{1,19})_(r|[\d.-]{1,500})_(\d{1,6})_(\d{1,9})$/;

/** Reads what `activationId` wrote; undefined when the text is anything else. */
export function parseActivationId(id: string): (ActivationKey & { readonly execution: string }) | undefined {
  const match = ID.exec(id);
  if (!match) return undefined;
  const [, execution, scope, node, seq] = match as unknown as [string, string, string, string, string];
  return { execution, scope: scope === 'r' ? ROOT : scope.replaceAll('-', '/'), node: Number(node), seq: Number(seq) };
}

export function sameActivation(a: ActivationKey, b: ActivationKey): boolean {
  return a.node === b.node && a.seq === b.seq && a.scope === b.scope;
}

/** The scope that holds the region node which opened `scope`. */
export function parentScope(scope: ScopePath): ScopePath {
  const cut = scope.lastIndexOf('/');
  return cut < 0 ? ROOT : scope.slice(0, cut);
}

/** Region node, its firing and the index of the iteration or branch that a scope stands for. */
export function scopeOwner(scope: ScopePath): { readonly region: number; readonly seq: number; readonly index: number } {
  const [region, seq, index] = scope.slice(scope.lastIndexOf('/') + 1).split('.').map(Number);
  return { region: region ?? -1, seq: seq ?? 0, index: index ?? 0 };
}

export function childScope(parent: ScopePath, region: number, seq: number, index: number): ScopePath {
  const own = `${region}.${seq}.${index}`;
  return parent === ROOT ? own : `${parent}/${own}`;
}
