import { describe, expect, it } from 'vitest';
import { metrics } from './metric-names.ts';
import { PrometheusMetrics } from './prometheus.ts';

describe('metrics', () => {
  it('appear in the exposition with unit, labels and the constant label', async () => {
    const prometheus = new PrometheusMetrics({ role: 'worker' });
    prometheus.count('activations_settled_total', 2, { outcome: 'done' });
    prometheus.set('slots_busy', 3, {});
    prometheus.observe('commit_seconds', 0.004, {});
    const { text } = await prometheus.exposition();
    expect(text).toContain('activations_settled_total{outcome="done",role="worker"} 2');
    expect(text).toContain('slots_busy{role="worker"} 3');
    expect(text).toContain('commit_seconds_bucket{le="0.005",role="worker"} 1');
  });

  it('carry the names that users of n8n look for', async () => {
    const prometheus = new PrometheusMetrics();
    prometheus.count('executions_started_total', 1, { mode: 'webhook' });
    prometheus.set('ready_depth', 7, {});
    const { text } = await prometheus.exposition();
    expect(text).toContain('n8n_workflow_started_total{mode="webhook"} 1');
    expect(text).toContain('n8n_scaling_mode_queue_jobs_waiting 7');
  });

  it.each(Object.entries(metrics))('%s is named as Prometheus asks: totals for counters, base units for times', (name, { kind, unit }) => {
    expect(name.endsWith('_total')).toBe(kind === 'counter' || name === 'slots_total');
    if (unit === 'seconds') expect(name).toMatch(/_seconds$/);
  });
});
