import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient, Received } from './api-client.ts';
import { CommandFailed } from './failures.ts';

export interface ProgressEvent {
  readonly name: 'status' | 'run' | 'end';
  readonly data: Received;
}

/** A dead API is given this long to come back; a rolling restart takes less. */
const patienceMs = 30_000;

/** Events of an execution until its end. A connection that breaks is made again, after the last event seen. */
export async function* eventsOf(api: ApiClient, executionId: string): AsyncGenerator<ProgressEvent> {
  let lastId: string | undefined;
  for (let failingSince: number | null = null; ;) {
    try {
      const answer = await api.open(`executions/${executionId}/events`, { accept: 'text/event-stream', ...(lastId === undefined ? {} : { 'last-event-id': lastId }) });
      for await (const block of blocksOf(answer)) {
        failingSince = null;
        lastId = fieldOf(block, 'id') ?? lastId;
        const name = fieldOf(block, 'event');
        if (name !== 'status' && name !== 'run' && name !== 'end') continue;
        yield { name, data: JSON.parse(fieldOf(block, 'data') ?? 'null') };
        if (name === 'end') return;
      }
    } catch (error) {
      const since: number = (failingSince ??= Date.now());
      if (lastId === undefined && error instanceof CommandFailed && !error.message.includes('cannot be reached')) throw error;
      if (Date.now() - since > patienceMs) throw error;
    }
    await sleep(500);
  }
}

async function* blocksOf(answer: Response): AsyncGenerator<string> {
  let pending = '';
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    pending += decoder.decode(chunk, { stream: true });
    const blocks = pending.split('\n\n');
    pending = blocks.pop() ?? '';
    yield* blocks;
  }
}

const fieldOf = (block: string, name: string): string | undefined => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1];
