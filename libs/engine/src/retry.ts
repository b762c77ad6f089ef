import type { Instant } from './json.ts';
import type { RetryPolicy } from './program.ts';

/** When the next try may begin, or null when there is none. `attempt` counts the tries begun so far, from 1. */
export function nextRetry(policy: RetryPolicy, attempt: number, now: Instant): Instant | null {
  if (attempt >= policy.tries) return null;
  const delay = Math.min(policy.delayMs * policy.factor ** (attempt - 1), policy.maxDelayMs);
  return now + delay;
}
