import type { JsonObject, Program } from '@app/engine';
import type { OpenActivationRecord, RunRecord } from '@app/store';
import { isoOf, isoOrNull } from '../instants.ts';

const statusNames = { done: 'success', failed: 'error', skipped: 'skipped', void: 'success', canceled: 'canceled' } as const satisfies Record<RunRecord['status'], string>;
const openNames = { ready: 'queued', running: 'running', waiting: 'waiting' } as const satisfies Record<OpenActivationRecord['status'], string>;

/** One finished run, without its items. */
export function stepView(program: Program, run: RunRecord): JsonObject {
  return {
    ...placeOf(program, run),
    status: statusNames[run.status],
    attempt: run.attempt,
    itemsByOutput: itemsByOutput(run),
    startedAt: isoOf(run.startedAt),
    executionTime: Math.max(0, run.finishedAt - run.startedAt),
    worker: run.worker,
    commit: run.commit,
    error: run.error && {
      message: run.error.message,
      ...(run.error.code !== undefined && { code: run.error.code }),
      ...(run.error.description != null && { description: run.error.description }),
    },
  };
}

/** One activation that has not finished. */
export function openStepView(program: Program, activation: OpenActivationRecord): JsonObject {
  const { attempt, worker, readyAt, startedAt, suspension } = activation;
  return {
    ...placeOf(program, activation),
    status: openNames[activation.status],
    attempt,
    worker: activation.status === 'running' ? worker : null,
    since: isoOf(activation.status === 'ready' ? readyAt : (startedAt ?? readyAt)),
    waitTill: isoOrNull(activation.status === 'waiting' ? (suspension?.until ?? null) : null),
  };
}

function placeOf(program: Program, { scope, node, seq }: { scope: string; node: number; seq: number }): JsonObject {
  const named = program.nodes[node];
  return { node: named?.name ?? `#${node}`, type: named?.type ?? '', scope, runIndex: seq };
}

function itemsByOutput({ outputs }: RunRecord): number[] {
  const counts = new Array<number>(outputs.reduce((most, { port }) => Math.max(most, port + 1), 0)).fill(0);
  for (const { port, count } of outputs) counts[port] = count;
  return counts;
}
