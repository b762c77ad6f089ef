import type { Telemetry } from '@app/telemetry';
import type { Ended, ReadyActivation } from './records.ts';

/** Counts executions that were ended from outside; answers what is to be announced now. */
export function noteEnded(telemetry: Telemetry, { executionIds, ready }: Ended): readonly ReadyActivation[] {
  if (executionIds.length > 0) telemetry.count('executions_finished_total', executionIds.length, { status: 'canceled' });
  return ready;
}
