import { link, restrict, type JsonObject, type LinkedProgram } from '@app/engine';
import { scheduled } from './scheduling.ts';

/** The program as an execution with these options runs it. */
export function limited(program: LinkedProgram, { only, stopAt, scheduling }: JsonObject): LinkedProgram {
  const how = scheduling === 'serial' || scheduling === 'parallel' ? scheduling : undefined;
  if (only === undefined && stopAt === undefined) return scheduled(program, how);
  return link(scheduled(restrict(program, nodesOnly({ only }), typeof stopAt === 'number' ? stopAt : null), how));
}

/** The nodes that an execution is limited to; null: all. */
export const nodesOnly = ({ only }: JsonObject): ReadonlySet<number> | null => (Array.isArray(only) ? new Set(only as number[]) : null);
