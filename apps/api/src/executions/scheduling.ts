import type { NodeDescriptions } from '@app/engine';
import type { RunnableVersion } from './runnable-versions.ts';

export type Scheduling = 'auto' | 'serial' | 'parallel';

/**
 * What a start's `scheduling` comes to for this version. It travels in the execution's options, and whoever steps the
 * execution applies it: the program itself is that of the version.
 */
export function resolveScheduling({ document, dialect }: RunnableVersion, scheduling: Scheduling, nodes: NodeDescriptions): 'serial' | 'parallel' | undefined {
  if (scheduling !== 'auto') return scheduling;
  const { program } = dialect.compile(document, { nodes, scheduling });
  return program ? (program.policies.maxConcurrency === 1 ? 'serial' : 'parallel') : undefined;
}
