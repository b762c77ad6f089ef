/**
 * Every metric of the fleet, with unit and meaning: the contract that dashboards and alerts are written against.
 * Label sets are bounded; an execution or activation id is never a label.
 * `alias` is the name under which users of n8n look for the same number; it is exposed as well.
 */
export interface MetricDescription {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly unit: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly buckets?: readonly number[];
  readonly alias?: string;
}

// From half a millisecond (an inline step takes about 1 ms) to five minutes (a slow node).
const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const counts = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];

export const metrics = {
  executions_started_total: { kind: 'counter', unit: 'executions', help: 'Executions accepted and stored.', labels: ['mode'], alias: 'n8n_workflow_started_total' },
  executions_finished_total: { kind: 'counter', unit: 'executions', help: 'Executions that reached a terminal status.', labels: ['status'] },
  executions_succeeded_total: { kind: 'counter', unit: 'executions', help: 'Executions that ended well.', labels: [], alias: 'n8n_workflow_success_total' },
  executions_failed_total: { kind: 'counter', unit: 'executions', help: 'Executions that ended with an error.', labels: [], alias: 'n8n_workflow_failed_total' },

  activations_claimed_total: { kind: 'counter', unit: 'activations', help: 'Leases taken, first attempts and repeats.', labels: ['queue'] },
  activations_settled_total: { kind: 'counter', unit: 'activations', help: 'Activations whose outcome was committed.', labels: ['outcome'] },
  activations_retried_total: { kind: 'counter', unit: 'activations', help: 'Attempts that failed and will be repeated.', labels: [] },
  activations_continued_total: { kind: 'counter', unit: 'activations', help: 'Successors run on the same worker without going through the queue.', labels: [] },
  activation_wait_seconds: { kind: 'histogram', unit: 'seconds', help: 'Schedule to start: from ready to claimed. The health signal of a fleet.', labels: ['queue'], buckets: seconds },
  activation_run_seconds: { kind: 'histogram', unit: 'seconds', help: 'Time inside the node.', labels: ['type'], buckets: seconds },

  commit_batch_size: { kind: 'histogram', unit: 'commits', help: 'Commits that shared one transaction.', labels: [], buckets: counts },
  commit_seconds: { kind: 'histogram', unit: 'seconds', help: 'From handing in an outcome to its commit.', labels: [], buckets: seconds },
  claim_seconds: { kind: 'histogram', unit: 'seconds', help: 'Duration of a claim.', labels: [], buckets: seconds },
  leases_lost_total: { kind: 'counter', unit: 'leases', help: 'Leases that expired before their activation settled.', labels: [] },
  fenced_writes_total: { kind: 'counter', unit: 'writes', help: 'Commits refused because the lease had been lost.', labels: [] },
  duplicate_deliveries_total: { kind: 'counter', unit: 'references', help: 'References that claimed nothing: another worker was first, or the work is done.', labels: [] },

  slots_total: { kind: 'gauge', unit: 'slots', help: 'Activations this worker runs at a time.', labels: [] },
  slots_busy: { kind: 'gauge', unit: 'slots', help: 'Activations this worker is running.', labels: [], alias: 'n8n_scaling_mode_queue_jobs_active' },
  ready_depth: { kind: 'gauge', unit: 'activations', help: 'Activations of the whole fleet that could start now, counted up to 10,000 when asked.', labels: [], alias: 'n8n_scaling_mode_queue_jobs_waiting' },
  oldest_ready_seconds: { kind: 'gauge', unit: 'seconds', help: 'Age of the oldest of them.', labels: [] },

  dispatch_sent_total: { kind: 'counter', unit: 'references', help: 'References handed to the queue.', labels: [] },
  dispatch_send_failures_total: { kind: 'counter', unit: 'references', help: 'References the queue did not take; the sweeper announces them again.', labels: [] },
  dispatch_send_seconds: { kind: 'histogram', unit: 'seconds', help: 'One bulk insertion into the queue.', labels: [], buckets: seconds },
  dispatch_received_total: { kind: 'counter', unit: 'references', help: 'References popped from the queue.', labels: [] },
  dispatch_consumers_recreated_total: { kind: 'counter', unit: 'consumers', help: 'Queue consumers replaced because they had fallen silent or failed.', labels: ['reason'] },

  sweeps_total: { kind: 'counter', unit: 'turns', help: 'Turns of the sweeper.', labels: [] },
  swept_total: { kind: 'counter', unit: 'rows', help: 'What the sweeper found to do: lease, timer, announcement, orphan.', labels: ['kind'] },
  event_loop_lag_seconds: { kind: 'gauge', unit: 'seconds', help: '99th percentile of the event loop delay since the last scrape.', labels: [], alias: 'n8n_nodejs_eventloop_lag_p99_seconds' },
  spans_dropped_total: { kind: 'counter', unit: 'spans', help: 'Spans lost because the collector was away or too slow.', labels: [] },
} as const satisfies Record<string, MetricDescription>;

type NamesOf<Kind> = { [Name in keyof typeof metrics]: (typeof metrics)[Name]['kind'] extends Kind ? Name : never }[keyof typeof metrics];
export type CounterName = NamesOf<'counter'>;
export type GaugeName = NamesOf<'gauge'>;
export type HistogramName = NamesOf<'histogram'>;
export type MetricName = keyof typeof metrics;
