import { Script, createContext, type Context } from 'node:vm';
import { longestSafeSubject } from '@app/engine';
import { NodeError } from './node-error.ts';

/** One search may take so long; a worker's leases are kept on the same thread. */
const LONGEST_MS = 250;
/** So much time searches of one pattern may waste before it is refused at once, and for how long it is remembered. */
const BUDGET_MS = 1_000;
const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 200;

interface Wasted {
  ms: number;
  readonly since: number;
}

/**
 * A regular expression that a workflow's author wrote. Where backtracking could take long on a subject, the search runs
 * under a time limit: it costs about 0.2 ms, and a pattern such as `^(a|a)*$` ends in an error instead of blocking the
 * worker for good.
 */
export class AuthorPattern {
  readonly #regex: RegExp;
  readonly #safeLength: number;

  /** Throws SyntaxError. The flags `g` and `y` would make a search depend on the one before; callers leave them out. */
  constructor(source: string, flags = '') {
    this.#regex = new RegExp(source, flags);
    this.#safeLength = longestSafeSubject(source);
  }

  test(subject: string): boolean {
    if (subject.length <= this.#safeLength) return this.#regex.test(subject);
    return this.#limited('test', subject, '') as boolean;
  }

  replace(subject: string, replacement: string): string {
    if (subject.length <= this.#safeLength) return subject.replace(this.#regex, replacement);
    return this.#limited('replace', subject, replacement) as string;
  }

  #limited(doing: 'test' | 'replace', subject: string, replacement: string): boolean | string {
    const { source, flags } = this.#regex;
    const key = `${flags}/${source}`;
    if (wastedOn(key) >= BUDGET_MS) throw tooSlow(source);
    const began = performance.now();
    try {
      const room = (context ??= createContext(Object.create(null) as object));
      Object.assign(room, { source, flags, subject, replacement });
      return SCRIPTS[doing].runInContext(room, { timeout: LONGEST_MS }) as boolean | string;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      waste(key, performance.now() - began);
      throw tooSlow(source);
    }
  }
}

const SCRIPTS = {
  test: new Script('new RegExp(source, flags).test(subject)'),
  replace: new Script('subject.replace(new RegExp(source, flags), replacement)'),
};

/** Holds nothing but the texts of the last search; no code of an author runs in it. */
let context: Context | undefined;

const wasted = new Map<string, Wasted>();

function wastedOn(key: string): number {
  const entry = wasted.get(key);
  if (entry && performance.now() - entry.since > REMEMBERED_MS) wasted.delete(key);
  return wasted.get(key)?.ms ?? 0;
}

function waste(key: string, ms: number): void {
  if (wasted.size >= MOST_REMEMBERED) wasted.delete(wasted.keys().next().value!);
  const { since } = wasted.get(key) ?? { since: performance.now() };
  wasted.set(key, { since, ms: wastedOn(key) + ms });
}

function tooSlow(source: string): NodeError {
  const shown = source.length > 100 ? `${source.slice(0, 100)}…` : source;
  return new NodeError(`The regular expression /${shown}/ takes too long on this text.`, {
    code: 'pattern_too_slow',
    retryable: false,
    description: `It was stopped after ${LONGEST_MS} ms. Repetitions inside repetitions, and choices that match the same text, try every way to divide it: write it without them, or search a shorter text.`,
  });
}
