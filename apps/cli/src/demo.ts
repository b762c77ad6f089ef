import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiClient } from './api-client.ts';
import { exitCodeOf } from './commands/execution.ts';
import { report } from './commands/run.ts';
import { importDocument } from './commands/workflow.ts';
import { readDocument } from './read-input.ts';
import type { Terminal } from './terminal.ts';
import { stepsOf, watch } from './watch.ts';

const shown = 'fan-out';
/** What the demonstration is to show: the branches of one execution on several workers. */
const fewestWorkers = 2;

/** Publishes the examples and runs one. Answers with the exit code: 0 if it succeeded and several workers took part. */
export async function demonstrate(api: ApiClient, terminal: Terminal, folder: string): Promise<number> {
  const ids = new Map<string, string>();
  const examples = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  for (const name of examples.map((entry) => entry.name).sort()) {
    const workflow = await importDocument(api, await readDocument(join(folder, name, 'workflow.json')));
    await api.send('POST', `workflows/${workflow.id}/publish`);
    ids.set(name, workflow.id);
  }
  terminal.out(`Published the examples: ${[...ids.keys()].join(', ')}.\nRunning ${shown}:\n\n`);
  const { id } = await api.send('POST', `workflows/${ids.get(shown)}/executions`, { mode: 'manual' });
  const status = await watch(api, terminal, id, 'line');
  terminal.out(await report(api, id, status));
  const workers = new Set((await stepsOf(api, id)).steps.map((step) => step.worker));
  terminal.out(`${workers.size} workers took part: ${[...workers].sort().join(', ')}.\n${api.url}/api/v1/executions/${id}?includeData=true\n\n`);
  return workers.size >= fewestWorkers ? exitCodeOf(status) : 1;
}
