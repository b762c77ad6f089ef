import { SilentTelemetry } from './silent.ts';
import type { InstanceRole } from './names.ts';
import type { Telemetry } from './telemetry.ts';

export interface TelemetrySettings {
  readonly role: InstanceRole;
  readonly instance: string;
  /** Where traces go; absent: none are made. */
  readonly endpoint?: string | undefined;
  /** Share of executions that are traced, 0 to 1. */
  readonly sampled: number;
}

/** What a process measures and tells with. */
export function createTelemetry(_settings: TelemetrySettings): Telemetry {
  return new SilentTelemetry();
}
