import type { Instant } from '@app/engine';
import type { ApiKeyRecord, ApiKeyStore, NewApiKey } from '../api-keys.ts';
import { Conflict, NotFound } from '../errors.ts';
import type { Page } from '../records.ts';

export class MemoryApiKeys implements ApiKeyStore {
  private readonly byHash = new Map<string, ApiKeyRecord>();

  constructor(private readonly now: () => Instant) {}

  async create({ hash, name, prefix }: NewApiKey): Promise<ApiKeyRecord> {
    if (this.byHash.has(hash)) throw new Conflict('There is an API key of this hash already.');
    const record = { id: `key${String(this.byHash.size + 1).padStart(9, '0')}`, name, prefix, createdAt: this.now(), revokedAt: null };
    this.byHash.set(hash, record);
    return record;
  }

  async findByHash(hash: string): Promise<ApiKeyRecord | undefined> {
    return this.byHash.get(hash);
  }

  async list({ limit, cursor = '' }: { limit: number; cursor?: string }): Promise<Page<ApiKeyRecord>> {
    const rows = [...this.byHash.values()].filter(({ id }) => id > cursor);
    const page = rows.slice(0, limit);
    return { rows: page, nextCursor: rows.length > limit ? page.at(-1)!.id : null };
  }

  async revoke(id: string): Promise<ApiKeyRecord> {
    const [hash, before] = [...this.byHash].find(([, record]) => record.id === id) ?? [];
    if (hash === undefined || before === undefined) throw new NotFound('API key', id);
    const after = { ...before, revokedAt: before.revokedAt ?? this.now() };
    this.byHash.set(hash, after);
    return after;
  }
}
