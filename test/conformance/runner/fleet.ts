import type { JsonObject } from '@app/engine';
import type { TestCase } from './test-case.ts';

/** How long one case may take, in milliseconds of the machine's time. */
export const CASE_LIMIT_MS = 30_000;

/** The reference sits out waits below this; an execution is taken for parked only with a longer one. */
export const SHORT_WAIT_MS = 65_000;

/** The execution could not begin: the reference shows that as one that failed before its first node. */
export class StartRefused extends Error {}

/** Something that runs workflows: in this process over the memory store, or a real fleet behind its API. */
export interface Fleet {
  /** Whether `save` stores the credentials of a case as well. */
  readonly storesCredentials: boolean;
  /** Stores the case's workflow; published as well. Answers its id. */
  save(testCase: TestCase, scheduling: 'serial' | 'parallel' | 'auto', switches: Switches): Promise<string>;
  /** Starts it and waits until it has ended or waits. Answers the execution's id. */
  run(workflowId: string, testCase: TestCase): Promise<string>;
  /** Lets waiting time pass and waits for the execution to end or wait again. */
  resumeByTime(executionId: string): Promise<void>;
  /** The execution in n8n's shape, with its data. */
  read(executionId: string): Promise<ExecutionDetail>;
  staticData(workflowId: string): Promise<JsonObject | null>;
  stop(): Promise<void>;
}

export interface Switches {
  readonly thrownErrorOutput?: 'error' | 'main';
  readonly missingExecutionOrder?: 'v1' | 'v0';
  readonly drainAfterNull?: boolean;
}

/** The parts of an execution that cases look at. */
export interface ExecutionDetail {
  readonly status: string;
  readonly data: {
    readonly resultData: {
      readonly runData: { readonly [node: string]: readonly TaskData[] };
      readonly lastNodeExecuted?: string;
      readonly error?: { readonly message: string; readonly node?: { readonly name: string } };
    };
  };
}

export interface TaskData {
  readonly executionIndex: number;
  readonly executionStatus: string;
  readonly source: readonly (JsonObject | null)[];
  readonly data?: { readonly main: readonly (readonly never[] | null)[] };
  readonly error?: { readonly message: string };
}
