import { plainValues, type Query } from './row-set.ts';

/**
 * All open activations of some executions.
 *
 * Locks   none.
 * Index   activations_pkey, by execution.
 * Bound   the executions given; one with many branches has many.
 */
export const readActivations = (executionIds: readonly string[]): Query => ({
  name: 'read_activations',
  text: 'select a.* from activations a where a.execution_id = any($1::bigint[]) order by a.execution_id, a.scope, a.node, a.seq',
  values: [plainValues(executionIds)],
});
