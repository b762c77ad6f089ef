import type { ExecutionStatus, Firing, SettledRun, Suspension } from '@app/engine';
import type { AttemptRecord } from '../records.ts';

/** One letter per word of a closed set, both ways. */
class Codes<Word extends string> {
  private readonly words: { readonly [code: string]: Word };

  constructor(private readonly codes: { readonly [word in Word]: string }) {
    this.words = Object.fromEntries(Object.entries<string>(codes).map(([word, code]) => [code, word as Word]));
  }

  code(word: Word): string {
    return this.codes[word];
  }

  word(code: unknown): Word {
    const word = this.words[String(code)];
    if (word === undefined) throw new Error(`The database holds the code "${String(code)}", which this version does not know. Is it older than the schema?`);
    return word;
  }
}

export const executionStatus = new Codes<ExecutionStatus>({ queued: 'q', running: 'r', waiting: 'w', paused: 'p', succeeded: 's', failed: 'f', canceled: 'c' });
export const activationStatus = new Codes<'ready' | 'running' | 'waiting'>({ ready: 'r', running: 'x', waiting: 'w' });
export const runStatus = new Codes<SettledRun['status']>({ done: 'd', failed: 'f', skipped: 's', void: 'v', canceled: 'c' });
export const cause = new Codes<Firing['cause']>({ start: 's', token: 't', starved: 'v', region: 'r', forced: 'f', invoke: 'i' });
export const phase = new Codes<NonNullable<Firing['phase']>>({ enter: 'e', next: 'n' });
export const wait = new Codes<Suspension['wait']>({ time: 't', callback: 'b', human: 'h', children: 'c' });
export const resumeMode = new Codes<Suspension['resume']>({ complete: 'c', reenter: 'r' });
export const attemptOutcome = new Codes<AttemptRecord['outcome']>({ failed: 'f', 'soft-failure': 's', 'lease-lost': 'l', released: 'r' });
