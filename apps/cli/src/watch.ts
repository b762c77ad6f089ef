import type { ApiClient, Received } from './api-client.ts';
import { eventsOf } from './event-stream.ts';
import { ProgressLine, sum } from './progress-line.ts';
import { printable, table } from './table.ts';
import type { Terminal } from './terminal.ts';

export type EventPrinting = 'line' | 'json' | 'silent';

/** Follows an execution to its end; answers with its last status. */
export async function watch(api: ApiClient, terminal: Terminal, executionId: string, printing: EventPrinting): Promise<string> {
  const line = new ProgressLine(terminal, executionId);
  let status = 'unknown';
  for await (const event of eventsOf(api, executionId)) {
    if (printing === 'line') line.show(event);
    if (printing === 'line' && terminal.columns === null && event.name === 'run')
      terminal.note(`${printable(event.data.node)} ${event.data.status}, ${sum(event.data.itemsByOutput)} items, ${event.data.executionTime} ms, ${event.data.worker}\n`);
    if (printing === 'json') terminal.out(`${JSON.stringify({ event: event.name, ...event.data })}\n`);
    if (event.name !== 'run') status = event.data.status;
  }
  line.clear();
  return status;
}

export interface StepsSeen {
  readonly steps: readonly Received[];
  readonly open: readonly Received[];
}

export async function stepsOf(api: ApiClient, executionId: string, most = 5_000): Promise<StepsSeen> {
  const steps: Received[] = [];
  let open: Received[] = [];
  for (let cursor: string | null = null; ;) {
    const page = await api.get(`executions/${executionId}/steps?limit=1000${cursor === null ? '' : `&cursor=${cursor}`}`);
    steps.push(...page.data);
    open = page.open;
    cursor = page.nextCursor;
    if (cursor === null || steps.length >= most) return { steps, open };
  }
}

export function stepTable({ steps, open }: StepsSeen): string {
  const rows = [
    ...steps.map((step) => [step.node, step.runIndex, step.worker, step.status, sum(step.itemsByOutput), step.executionTime]),
    ...open.map((step) => [step.node, step.runIndex, step.worker, step.status, null, null]),
  ];
  return table(['node', 'run', 'worker', 'status', 'items', 'ms'], rows);
}
