import { allow } from '../language/guards.ts';

/**
 * JavaScript's Date with the given moment as its present, so that a step of a workflow sees one time, whichever worker
 * runs it and however often.
 */
export function dateClassAt(now: number): DateConstructor {
  class PinnedDate extends Date {
    constructor(...args: unknown[]) {
      if (args.length === 0) super(now);
      else super(...(args as [number]));
    }

    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof Date;
    }

    static override now(): number {
      return now;
    }
  }
  allow(PinnedDate.now, Date.parse, Date.UTC);
  return PinnedDate as unknown as DateConstructor;
}
