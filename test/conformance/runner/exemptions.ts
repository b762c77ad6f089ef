/** Cases of n8n's results that we do not reproduce, each with our behaviour and why. One that passes fails the build. */
export interface Exemption {
  readonly name: string;
  readonly reason: string;
  /** The result depends on which worker is faster: the case may pass or differ. */
  readonly timing?: true;
}

/** Serial mode, default switches: the four of n8n-engine.md §18. */
export const SERIAL: readonly Exemption[] = [
  { name: 'engine/state/null-output-skips-drain', reason: 'Q1: nodes that wait are released whenever nothing is left to run, also after a run that returned nothing; otherwise their data would be lost.' },
  { name: 'engine/merge/wait-index-overwrite-loses-data', reason: 'Q2: every input has a first-in-first-out queue, so no pending set is overwritten.' },
  { name: 'engine/merge/drain-lexical-wait-order', reason: 'Q3: the oldest set is released first, not the one whose index comes first as text.' },
  { name: 'engine/errors/thrown-continue-error-output', reason: 'Q4: a thrown error leaves by the error output, one error item per input item.' },
];

/** Cases that pass with a compatibility switch in n8n's position. */
export const WITH_SWITCH: { readonly [name: string]: { readonly drainAfterNull?: boolean; readonly thrownErrorOutput?: 'main' } } = {
  'engine/state/null-output-skips-drain': { drainAfterNull: false },
  'engine/errors/thrown-continue-error-output': { thrownErrorOutput: 'main' },
};

const COUNTED = 'The workflow writes down $runIndex of a node that several branches reach: which arrival is counted first depends on which worker is faster.';

/** Parallel mode. */
export const PARALLEL: readonly Exemption[] = [
  ...SERIAL.map((exemption) => (exemption.name === 'engine/merge/drain-lexical-wait-order' ? { ...exemption, timing: true as const } : exemption)),
  { name: 'engine/merge/two-edges-into-each-input', reason: 'Q19: sets pair in the order of arrival, and which of two branches arrives first depends on which worker is faster.', timing: true },
  ...['chain-behind-if', 'choose-branch-partial', 'empty-output-on-first-input', 'if-false-branch-forced', 'missing-branch-is-started'].map((name) => ({
    name: `engine/merge/v0-${name}`,
    reason: 'The legacy order starts the sources of a waiting merge that have not run yet, so it shows which branch is faster. It runs serially unless parallel is forced.',
    timing: true as const,
  })),
  { name: 'engine/errors/error-in-second-run', reason: 'The runs of one node do not wait for each other: the successor of the first run begins although the second one fails.', timing: true },
  { name: 'engine/errors/stop-skips-queued-branches', reason: 'Branches run side by side: the second one has begun when the first one fails.', timing: true },
  { name: 'engine/loops/cycle-splits-items', reason: COUNTED, timing: true },
  { name: 'engine/order/v1-diamond-without-merge', reason: COUNTED, timing: true },
  { name: 'engine/order/v1-three-arrivals', reason: COUNTED, timing: true },
  { name: 'engine/wait/long-wait-parks-other-branches-too', reason: 'Q18: a wait parks its own branch only.' },
];
