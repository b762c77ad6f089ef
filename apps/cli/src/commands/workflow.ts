import type { ApiClient, Received } from '../api-client.ts';
import { jsonOption, type Command } from '../command.ts';
import { CommandFailed } from '../failures.ts';
import { readDocument } from '../read-input.ts';
import { printable, table } from '../table.ts';

const columns = ['id', 'name', 'active', 'version', 'updated'];
const rowOf = (workflow: Received) => [workflow.id, workflow.name, workflow.active ? 'yes' : 'no', workflow.versionCounter, workflow.updatedAt];

export const workflowImport: Command = {
  name: 'workflow import',
  operands: 'FILE...',
  about: 'Saves workflow documents; one of a known name becomes a new version of it.',
  options: { ...jsonOption, publish: { type: 'boolean', about: 'Makes it the version that production starts use.' } },
  count: [1, Infinity],
  async run({ kit: { api, terminal }, operands, flag }) {
    const saved: Received[] = [];
    for (const file of operands) {
      const workflow = await importDocument(api, await readDocument(file));
      saved.push(flag('publish') ? await api.send('POST', `workflows/${workflow.id}/publish`) : workflow);
      for (const problem of workflow.problems ?? []) terminal.note(`${file}: ${printable(problem.message)} ${printable(problem.suggestion)}\n`);
    }
    terminal.out(flag('json') ? `${JSON.stringify(saved)}\n` : table(columns, saved.map(rowOf)));
    return 0;
  },
};

export const workflowList: Command = {
  name: 'workflow list',
  operands: '',
  about: 'Lists workflows.',
  options: { ...jsonOption, limit: { type: 'string', about: 'How many at most. Default: 20.' }, active: { type: 'boolean', about: 'Only those that are published.' } },
  count: [0, 0],
  async run({ kit: { api, terminal }, flag, number }) {
    const rows = await api.list('workflows', { active: flag('active') ? 'true' : undefined, excludePinnedData: 'true' }, number('limit') ?? 100);
    terminal.out(flag('json') ? `${JSON.stringify(rows)}\n` : table(columns, rows.map(rowOf)));
    return 0;
  },
};

export const workflowPublish: Command = {
  name: 'workflow publish',
  operands: 'WORKFLOW',
  about: 'Makes the newest version the one that production starts use. WORKFLOW is an id or a name.',
  options: jsonOption,
  count: [1, 1],
  async run({ kit: { api, terminal }, operands, flag }) {
    const { id } = await findWorkflow(api, operands[0]!);
    const workflow = await api.send('POST', `workflows/${encodeURIComponent(id)}/publish`);
    terminal.out(flag('json') ? `${JSON.stringify(workflow)}\n` : table(columns, [rowOf(workflow)]));
    return 0;
  },
};

/** Saves a document; published workflows keep the version they run. */
export async function importDocument(api: ApiClient, document: Record<string, unknown>): Promise<Received> {
  const known = typeof document['name'] === 'string' ? (await named(api, document['name'])).filter((workflow) => !workflow.isArchived) : [];
  if (known.length > 1)
    throw new CommandFailed(`There are ${known.length} workflows named "${String(document['name'])}".`, 'Give the document another name, or archive the others.');
  return known[0] ? await api.send('PUT', `workflows/${known[0].id}?publishIfActive=false`, document) : await api.send('POST', 'workflows', document);
}

/** By id, else by its name if only one has it. */
export async function findWorkflow(api: ApiClient, idOrName: string): Promise<Received> {
  const byName = await named(api, idOrName);
  if (byName.length > 1) throw new CommandFailed(`There are ${byName.length} workflows named "${idOrName}".`, 'Use the id; "argosy workflow list" shows it.');
  return byName[0] ?? (await api.get(`workflows/${encodeURIComponent(idOrName)}`));
}

const named = (api: ApiClient, name: string): Promise<Received[]> => api.list('workflows', { name }, 10);
