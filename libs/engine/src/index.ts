export type { Instant, Json, JsonObject } from './json.ts';
export type { BinaryValue, ErrorShape, Item, PairedItem, Pairing, Source } from './item.ts';
export type { DisplayOptions, NodeDescription, NodeDescriptions, PropertyDescription } from './node-description.ts';
export type { Edge, ErrorPolicy, Group, Program, ProgramNode, ProgramPolicies, RegionSpec, RetryPolicy, Slot, StarvedPolicy } from './program.ts';
export { DEFAULT_POLICIES, NO_RETRY, REGION_DEFAULTS } from './program.ts';
export { link, runsEarlier, type LinkedProgram } from './linked-program.ts';
export { isTerminal, type EndCause, type ExecutionStatus } from './execution.ts';
export {
  ROOT,
  START_PORT,
  activationId,
  childScope,
  parentScope,
  parseActivationId,
  sameActivation,
  scopeOwner,
  type ActivationKey,
  type Firing,
  type InputToken,
  type NewActivation,
  type OpenActivation,
  type OutputRef,
  type Resume,
  type ScopePath,
  type Suspension,
} from './activation.ts';
export { done, failed, type Effect, type Outcome, type PortOutput } from './outcome.ts';
export type { Event } from './event.ts';
export {
  NEW_EXECUTION,
  arrivalKey,
  driverKey,
  emptySnapshot,
  listKey,
  nodeKey,
  type Arrival,
  type ArrivalKey,
  type Cell,
  type DriverState,
  type ExecutionState,
  type ListState,
  type Need,
  type NodeKey,
  type NodeTokens,
  type QueuedFiring,
  type ScopeState,
  type Snapshot,
  type Tally,
  type Token,
} from './snapshot.ts';
export type { ExecutionEnd, Incomplete, ListAppend, ReopenedActivation, SettledRun, StepResult, Transition, Unchanged } from './transition.ts';
export { applyTransition, waitingOf } from './apply.ts';
export { nextRetry } from './retry.ts';
export { step } from './step.ts';
export { assertNever } from './assert.ts';
export type { Problem } from './problem.ts';
export { stampLineage } from './items/stamp.ts';
export { fillPairing } from './items/pairing.ts';
export { errorItems, isSoftFailure, normalizeErrorItems, routeErrorItems } from './items/error-items.ts';
export { alwaysOutput } from './items/always-output.ts';
export { restrict } from './restrict.ts';
export { carryOn, type CarriedOn, type Remains } from './carry-on.ts';
export { programFor, timeoutOf, type RunOptions } from './run-options.ts';
export { validate } from './validate.ts';
export { longestSafeSubject } from './regex-risk.ts';
