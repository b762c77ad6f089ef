import type { ActivationKey, InputToken, NewActivation, OutputRef, Resume, ScopePath, Suspension } from './activation.ts';
import type { EndCause } from './execution.ts';
import type { ErrorShape } from './item.ts';
import type { Instant } from './json.ts';
import type { PortOutput } from './outcome.ts';
import type { Cell, DriverState, ExecutionState, Need, QueuedFiring, ScopeState, Token } from './snapshot.ts';

/** A finished run: one immutable row of history. */
export interface SettledRun extends ActivationKey {
  readonly status: 'done' | 'failed' | 'skipped' | 'void' | 'canceled';
  readonly attempt: number;
  readonly commit: number;
  readonly inputs: readonly (InputToken | null)[];
  readonly cause: string;
  readonly outputs: readonly PortOutput[];
  readonly error: ErrorShape | null;
  /** Pieces of an answer it streamed. */
  readonly stream: readonly string[];
}

/** What becomes of an activation that has not finished: another try later, or a suspension. */
export type ReopenedActivation =
  | (ActivationKey & { readonly kind: 'retry'; readonly readyAt: Instant; readonly error: ErrorShape; readonly outputs: readonly PortOutput[] })
  | (ActivationKey & { readonly kind: 'suspended'; readonly suspension: Suspension });

export interface ListAppend {
  readonly scope: ScopePath;
  readonly node: number;
  readonly name: string;
  /** Position of the entry and of its first item in the list. */
  readonly entry: number;
  readonly firstItem: number;
  /** null: an iteration without a result. */
  readonly ref: OutputRef | null;
  readonly from: (ActivationKey & { readonly port: number }) | null;
}

export interface ExecutionEnd {
  readonly status: 'succeeded' | 'failed' | 'canceled';
  readonly cause: EndCause | null;
  readonly error: ErrorShape | null;
}

/** What `step` answers: the delta of the execution's rows, to be written in one transaction. */
export interface Transition {
  readonly kind: 'transition';
  readonly execution: ExecutionState;
  /** The open activation that ended with this step; its run is among `runs` unless it was a region that goes on. */
  readonly closed: ActivationKey | null;
  readonly reopened: ReopenedActivation | null;
  readonly runs: readonly SettledRun[];
  /** Suspended activations whose children have all ended. */
  readonly woken: readonly (ActivationKey & { readonly resume: Resume })[];
  readonly created: readonly NewActivation[];
  readonly scopes: readonly ScopeState[];
  readonly closedScopes: readonly ScopePath[];
  readonly tokensPut: readonly Token[];
  readonly tokensTaken: readonly Token[];
  readonly queued: readonly QueuedFiring[];
  /** Positions that left the queue. */
  readonly unqueued: readonly number[];
  readonly drivers: readonly DriverState[];
  readonly closedDrivers: readonly ActivationKey[];
  readonly cells: readonly Cell[];
  readonly appends: readonly ListAppend[];
  /** Set by the step that ends the execution. */
  readonly end: ExecutionEnd | null;
}

/** The step cannot be decided without these rows. */
export interface Incomplete {
  readonly kind: 'incomplete';
  readonly needs: readonly Need[];
}

/** The event changes nothing (it came too late). */
export interface Unchanged {
  readonly kind: 'unchanged';
}

export type StepResult = Transition | Incomplete | Unchanged;
