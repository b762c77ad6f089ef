import type { ApiClient, Received } from '../api-client.ts';
import { inputOption, jsonOption, oneOf, schedulingOption, type CliKit, type Command } from '../command.ts';
import { CommandFailed } from '../failures.ts';
import { readDocument, readItems } from '../read-input.ts';
import { printable } from '../table.ts';
import { stepsOf, stepTable, watch } from '../watch.ts';
import { exitCodeOf } from './execution.ts';
import { importDocument } from './workflow.ts';

export const run: Command = {
  name: 'run',
  operands: 'FILE',
  about: 'Runs a workflow document to its end: on the fleet at ARGOSY_URL, or else on one that is started for it.',
  options: { ...jsonOption, ...inputOption, ...schedulingOption, workers: { type: 'string', about: 'How many workers the fleet gets that is started for it. Default: 2.' } },
  count: [1, 1],
  async run({ kit, operands, text, flag, number }) {
    const scheduling = oneOf('scheduling', text('scheduling'), ['auto', 'serial', 'parallel']);
    const document = await readDocument(operands[0]!);
    const input = text('input');
    const items = input === undefined ? undefined : await readItems(input);
    return await onFleet(kit, number('workers') ?? 2, async (api) => {
      const workflow = await importDocument(api, document);
      const { id } = await api.send('POST', `workflows/${workflow.id}/executions`, { mode: 'manual', items, scheduling });
      const status = await watch(api, kit.terminal, id, flag('json') ? 'silent' : 'line');
      if (flag('json')) kit.terminal.out(`${JSON.stringify(await api.get(`executions/${id}?includeData=true`))}\n`);
      else kit.terminal.out(await report(api, id, status));
      return exitCodeOf(status);
    });
  },
};

/** On the fleet that is there, or on one that lives as long as the work. */
async function onFleet(kit: CliKit, workers: number, work: (api: ApiClient) => Promise<number>): Promise<number> {
  if (await kit.api.isReachable()) return await work(kit.api);
  if (kit.isUrlGiven) throw new CommandFailed(`The API at ${kit.api.url} cannot be reached.`, 'Start it, or unset ARGOSY_URL to run on a fleet of its own.');
  const stop = kit.stopSignal();
  const fleet = await kit.fleet.up({ workers, report: (sentence) => kit.terminal.note(`${sentence}\n`) });
  try {
    return await Promise.race([
      work(kit.api.at(fleet.url)),
      fleet.failed.then((reason) => Promise.reject(new CommandFailed(`The fleet failed: ${reason}`, 'The lines above say more.'))),
      untilStopped(stop),
    ]);
  } finally {
    await fleet.stop();
  }
}

export async function report(api: ApiClient, id: string, status: string): Promise<string> {
  const steps = stepTable(await stepsOf(api, id));
  const { data } = await api.get(`executions/${id}?includeData=true`);
  if (status === 'success') return `${steps}execution ${id}: success\n${lastItems(data)}`;
  const error = data?.resultData?.error;
  return `${steps}execution ${id}: ${status}${error ? `: ${printable(error.message)}${error.node ? ` (node "${printable(error.node.name)}")` : ''}` : ''}\n`;
}

const mostItems = 3;
const longestItem = 300;

/** What the last node gave, shortly; everything is in `execution show ID --json`. */
function lastItems(data: Received | undefined): string {
  const { runData, lastNodeExecuted: node } = data?.resultData ?? {};
  const outputs: Received[] = runData?.[node]?.at(-1)?.data?.main ?? [];
  const items = outputs.flatMap((output): Received[] => output ?? []);
  if (items.length === 0) return '';
  const lines = items.slice(0, mostItems).map(({ json }) => {
    const text = printable(JSON.stringify(json));
    return `  ${text.length > longestItem ? `${text.slice(0, longestItem)}…` : text}\n`;
  });
  const more = items.length > mostItems ? `  … and ${items.length - mostItems} more\n` : '';
  return `"${printable(node)}" gave ${items.length} ${items.length === 1 ? 'item' : 'items'}:\n${lines.join('')}${more}`;
}

/** 130 is what shells expect of a program that Ctrl-C has ended. */
export const untilStopped = (stop: AbortSignal): Promise<number> =>
  new Promise((resolve) => (stop.aborted ? resolve(130) : stop.addEventListener('abort', () => resolve(130), { once: true })));
