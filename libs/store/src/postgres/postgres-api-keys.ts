import type { ApiKeyRecord, ApiKeyStore, NewApiKey } from '../api-keys.ts';
import { Conflict, NotFound } from '../errors.ts';
import type { Page } from '../records.ts';
import type { Answer, Row } from './connection.ts';
import { findApiKey, insertApiKey, listApiKeys, revokeApiKey } from './statements/api-keys.ts';
import type { Query } from './statements/row-set.ts';

export class PostgresApiKeys implements ApiKeyStore {
  /** `ask` must be durable: a revocation that was answered is never taken back. */
  constructor(
    private readonly ask: (doing: string, query: Query) => Promise<Answer>,
    private readonly nextId: () => string,
  ) {}

  async create(key: NewApiKey): Promise<ApiKeyRecord> {
    const [row] = (await this.ask('store an API key', insertApiKey(this.nextId(), key))).rows;
    if (!row) throw new Conflict('There is an API key of this hash already.');
    return recordOf(row);
  }

  async findByHash(hash: string): Promise<ApiKeyRecord | undefined> {
    return (await this.ask('look up an API key', findApiKey(hash))).rows.map(recordOf)[0];
  }

  async list({ limit, cursor = '' }: { readonly limit: number; readonly cursor?: string }): Promise<Page<ApiKeyRecord>> {
    const { rows } = await this.ask('list API keys', listApiKeys(cursor, limit + 1));
    const page = rows.slice(0, limit).map(recordOf);
    return { rows: page, nextCursor: rows.length > limit ? page.at(-1)!.id : null };
  }

  async revoke(id: string): Promise<ApiKeyRecord> {
    const [row] = (await this.ask('revoke an API key', revokeApiKey(id))).rows;
    if (!row) throw new NotFound('API key', id);
    return recordOf(row);
  }
}

const recordOf = (row: Row): ApiKeyRecord => ({
  id: String(row['id']),
  name: String(row['name']),
  prefix: String(row['prefix']),
  createdAt: Number(row['created_at']),
  revokedAt: row['revoked_at'] === null ? null : Number(row['revoked_at']),
});
