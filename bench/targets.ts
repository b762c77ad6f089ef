/** What the benchmarks must show. A target is about ratios and limits, so that it holds on any machine. */
export const targets = {
  chain10: {
    /** Executions per second as multiples of the peer's. */
    timesDbos: 5,
    timesRestate: 1.5,
    /** p50 from accept to finish of a single idle execution, as a share of DBOS's. */
    latencyOfDbos: 1,
  },
  /** Time of a thousand joined branches, as a multiple of a thousand executions of one node. */
  fanout: { timesIndependent: 3 },
  /** Cost of the last hundred steps as a multiple of the first hundred's. */
  loop: { timesFirst: 1.5 },
  /** Starts per second, as a multiple of chain10's executions per second. */
  accept: { timesChain10: 2 },
  /** Percent of one core, for each process. */
  idle: { cpuPercent: 2 },
  memory: { workerMb: 250 },
  /** Bytes of all relations after VACUUM, as a multiple of the bytes of items, and what a step may cost on top. */
  disk: { timesItems: 1.3, bytesPerStep: 1024 },
} as const;

/** One measured value against its target. */
export interface Verdict {
  readonly what: string;
  readonly measured: number;
  readonly must: 'be at least' | 'be at most';
  readonly target: number;
  readonly isMet: boolean;
}

export const atLeast = (what: string, measured: number, target: number): Verdict => ({ what, measured, must: 'be at least', target, isMet: measured >= target });
export const atMost = (what: string, measured: number, target: number): Verdict => ({ what, measured, must: 'be at most', target, isMet: measured <= target });
