import { link, programFor, type JsonObject, type LinkedProgram } from '@app/engine';

/** The program as an execution with these options runs it. */
export function limited(program: LinkedProgram, options: JsonObject): LinkedProgram {
  const changed = programFor(program, options);
  return changed === program ? program : link(changed);
}

/** The nodes that an execution is limited to; null: all. */
export const nodesOnly = ({ only }: JsonObject): ReadonlySet<number> | null => (Array.isArray(only) ? new Set(only as number[]) : null);
