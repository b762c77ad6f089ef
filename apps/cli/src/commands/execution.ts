import type { Received } from '../api-client.ts';
import { inputOption, jsonOption, oneOf, schedulingOption, type Command } from '../command.ts';
import { BadUse } from '../failures.ts';
import { readItems } from '../read-input.ts';
import { printable, table } from '../table.ts';
import { stepsOf, stepTable, watch } from '../watch.ts';
import { findWorkflow } from './workflow.ts';

const columns = ['id', 'status', 'mode', 'workflow', 'started', 'stopped'];
const rowOf = (execution: Received) => [execution.id, execution.status, execution.mode, execution.workflowId, execution.startedAt, execution.stoppedAt];
const path = (id: string): string => {
  if (!/^\d{1,19}$/.test(id)) throw new BadUse(`"${id}" is no id of an execution: those are digits.`, 'argosy execution list shows them.');
  return `executions/${id}`;
};

export const executionStart: Command = {
  name: 'execution start',
  operands: 'WORKFLOW',
  about: 'Starts an execution of a workflow, given by id or name.',
  options: {
    ...jsonOption,
    ...inputOption,
    mode: { type: 'string', about: 'manual (default) runs the newest version; trigger, webhook and error the published one.' },
    node: { type: 'string', about: 'Where to start, by name. Default: the trigger that fits the mode.' },
    destination: { type: 'string', about: 'Runs only up to this node.' },
    ...schedulingOption,
    key: { type: 'string', about: 'An idempotency key: repeated, it gives the same execution.' },
    watch: { type: 'boolean', about: 'Follows it to its end; ends with 0 if it succeeds and 1 if not.' },
  },
  count: [1, 1],
  async run({ kit: { api, terminal }, operands, text, flag }) {
    const input = text('input');
    const body = {
      mode: oneOf('mode', text('mode'), ['manual', 'trigger', 'webhook', 'error']),
      scheduling: oneOf('scheduling', text('scheduling'), ['auto', 'serial', 'parallel']),
      items: input === undefined ? undefined : await readItems(input),
      node: text('node'),
      destination: text('destination'),
      idempotencyKey: text('key'),
    };
    const { id } = await findWorkflow(api, operands[0]!);
    const accepted = await api.send('POST', `workflows/${encodeURIComponent(id)}/executions`, body);
    if (flag('json')) terminal.out(`${JSON.stringify(accepted)}\n`);
    else terminal.out(`execution ${accepted.id}${accepted.existing ? ' (started earlier under this key)' : ''}\n`);
    return flag('watch') ? exitCodeOf(await watch(api, terminal, accepted.id, flag('json') ? 'json' : 'line')) : 0;
  },
};

export const executionList: Command = {
  name: 'execution list',
  operands: '',
  about: 'Lists executions, newest first.',
  options: {
    ...jsonOption,
    limit: { type: 'string', about: 'How many at most. Default: 20.' },
    status: { type: 'string', about: 'new, running, waiting, success, error, crashed or canceled.' },
    workflow: { type: 'string', about: 'Only those of this workflow, by id or name.' },
  },
  count: [0, 0],
  async run({ kit: { api, terminal }, text, flag, number }) {
    const status = oneOf('status', text('status'), ['new', 'running', 'waiting', 'success', 'error', 'crashed', 'canceled']);
    const workflow = text('workflow');
    const rows = await api.list('executions', { status, workflowId: workflow && (await findWorkflow(api, workflow)).id }, number('limit') ?? 20);
    terminal.out(flag('json') ? `${JSON.stringify(rows)}\n` : table(columns, rows.map(rowOf)));
    return 0;
  },
};

export const executionShow: Command = {
  name: 'execution show',
  operands: 'ID',
  about: 'Shows an execution and its steps; with --json everything, data included.',
  options: jsonOption,
  count: [1, 1],
  async run({ kit: { api, terminal }, operands, flag }) {
    const id = operands[0]!;
    if (flag('json')) {
      terminal.out(`${JSON.stringify(await api.get(`${path(id)}?includeData=true`))}\n`);
      return 0;
    }
    const execution = await api.get(`${path(id)}`);
    terminal.out(`${table(columns, [rowOf(execution)])}\n${stepTable(await stepsOf(api, id))}`);
    return 0;
  },
};

export const executionWatch: Command = {
  name: 'execution watch',
  operands: 'ID',
  about: 'Follows an execution to its end; ends with 0 if it succeeds and 1 if not.',
  options: jsonOption,
  count: [1, 1],
  async run({ kit: { api, terminal }, operands, flag }) {
    await api.get(path(operands[0]!));
    const status = await watch(api, terminal, operands[0]!, flag('json') ? 'json' : 'line');
    if (!flag('json')) terminal.out(`execution ${operands[0]}: ${status}\n`);
    return exitCodeOf(status);
  },
};

export const executionCancel: Command = {
  name: 'execution cancel',
  operands: 'ID...',
  about: 'Cancels executions.',
  options: jsonOption,
  count: [1, Infinity],
  async run({ kit: { api, terminal }, operands, flag }) {
    for (const id of operands) {
      const canceled = await api.send('POST', `${path(id)}/cancel`);
      terminal.out(flag('json') ? `${JSON.stringify(canceled)}\n` : `execution ${id}: ${canceled.status}\n`);
    }
    return 0;
  },
};

export const executionRetry: Command = {
  name: 'execution retry',
  operands: 'ID',
  about: 'Runs a failed or canceled execution once more, from where it failed.',
  options: { ...jsonOption, newest: { type: 'boolean', about: 'With the newest version of the workflow instead of the one that ran.' } },
  count: [1, 1],
  async run({ kit: { api, terminal }, operands, flag }) {
    const retried = await api.send('POST', `${path(operands[0]!)}/retry`, { loadWorkflow: flag('newest') });
    terminal.out(flag('json') ? `${JSON.stringify(retried)}\n` : `execution ${printable(retried.id)} retries ${operands[0]}\n`);
    return 0;
  },
};

export const exitCodeOf = (status: string): number => (status === 'success' ? 0 : 1);
