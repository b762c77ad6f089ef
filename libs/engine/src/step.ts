import { assertNever } from './assert.ts';
import { cancel } from './cancel.ts';
import { Draft } from './draft.ts';
import type { Event } from './event.ts';
import { isTerminal } from './execution.ts';
import type { Instant } from './json.ts';
import type { LinkedProgram } from './linked-program.ts';
import { Missing } from './missing.ts';
import { conclude } from './quiet.ts';
import { settle } from './settle.ts';
import type { Snapshot } from './snapshot.ts';
import { refuse, start } from './start.ts';
import type { StepResult } from './transition.ts';

/**
 * The scheduler: given what an execution looks like and what just happened, says what it looks like next and which
 * activations may now run. Pure: no clock, no randomness, no I/O. The store may call it twice for one event, and
 * calls it again with more rows when the answer is `incomplete`.
 */
export function step(program: LinkedProgram, snapshot: Snapshot, event: Event, now: Instant): StepResult {
  if (isTerminal(snapshot.execution.status)) return { kind: 'unchanged' };
  const draft = new Draft(program, snapshot, now);
  try {
    switch (event.kind) {
      case 'execution-started':
        start(draft, event.starts);
        conclude(draft);
        break;
      case 'execution-refused':
        refuse(draft, event.error);
        break;
      case 'activation-settled':
        settle(draft, event.activation, event.outcome);
        conclude(draft);
        break;
      case 'cancel-requested':
        cancel(draft, event.cause, event.error);
        break;
      default:
        return assertNever(event);
    }
  } catch (error) {
    if (error instanceof Missing) return { kind: 'incomplete', needs: [error.need] };
    throw error;
  }
  return draft.toTransition();
}
