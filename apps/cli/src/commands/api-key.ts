import { mintApiKey, NotFound, type ApiKeyRecord, type Store } from '@app/store';
import { jsonOption, type Command } from '../command.ts';
import { BadUse, CommandFailed } from '../failures.ts';
import { printable, table } from '../table.ts';

const longestName = 100;
const rowsPerPage = 250;

export const apiKeyCreate: Command = {
  name: 'api-key create',
  operands: '',
  about: 'Makes a key of the API in the database at DATABASE_URL, and shows it this once. --name says whose it is.',
  options: { ...jsonOption, name: { type: 'string', about: 'What it is for, to tell it from others.' } },
  count: [0, 0],
  async run({ kit: { openStore, terminal }, flag, text }) {
    const name = text('name')?.trim() ?? '';
    if (name === '' || name.length > longestName)
      throw new BadUse(`--name must say whose key it is, in 1 to ${longestName} characters.`, 'For instance: argosy api-key create --name deploy-bot');
    const { key, hash, prefix } = mintApiKey();
    const record = await openStore((store) => store.apiKeys.create({ name, hash, prefix }));
    if (flag('json')) terminal.out(`${JSON.stringify({ ...shown(record), key })}\n`);
    else {
      terminal.out(`${key}\n`);
      terminal.note(`API key ${record.id} (${printable(name)}). Keep it: only its hash is stored, and nobody can show it again.\n`);
    }
    return 0;
  },
};

export const apiKeyList: Command = {
  name: 'api-key list',
  operands: '',
  about: 'Lists the keys in the database at DATABASE_URL, by their beginnings.',
  options: jsonOption,
  count: [0, 0],
  async run({ kit: { openStore, terminal }, flag }) {
    const keys = (await openStore(allKeys)).map(shown);
    terminal.out(
      flag('json')
        ? `${JSON.stringify(keys)}\n`
        : table(
            ['id', 'name', 'key', 'created', 'revoked'],
            keys.map(({ id, name, prefix, createdAt, revokedAt }) => [id, name, `${prefix}…`, createdAt, revokedAt]),
          ),
    );
    return 0;
  },
};

export const apiKeyRevoke: Command = {
  name: 'api-key revoke',
  operands: 'ID',
  about: 'Revokes a key in the database at DATABASE_URL for good; within ten seconds no API takes it any more.',
  options: jsonOption,
  count: [1, 1],
  async run({ kit: { openStore, terminal }, operands, flag }) {
    const id = operands[0]!;
    const record = await openStore((store) => store.apiKeys.revoke(id)).catch((error: unknown) => {
      throw error instanceof NotFound ? new CommandFailed(`There is no API key "${printable(id)}".`, 'argosy api-key list shows the ids.') : error;
    });
    terminal.out(flag('json') ? `${JSON.stringify(shown(record))}\n` : `API key ${record.id} (${printable(record.name)}): revoked\n`);
    return 0;
  },
};

async function allKeys({ apiKeys }: Store): Promise<ApiKeyRecord[]> {
  const keys: ApiKeyRecord[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await apiKeys.list({ limit: rowsPerPage, cursor });
    keys.push(...page.rows);
    if (page.nextCursor === null) return keys;
    cursor = page.nextCursor;
  }
}

const shown = ({ createdAt, revokedAt, ...record }: ApiKeyRecord) => ({
  ...record,
  createdAt: new Date(createdAt).toISOString(),
  revokedAt: revokedAt === null ? null : new Date(revokedAt).toISOString(),
});
