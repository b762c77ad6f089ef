import { createHash, randomBytes } from 'node:crypto';
import type { Instant } from '@app/engine';
import type { Page } from './records.ts';

export interface NewApiKey {
  readonly name: string;
  readonly hash: string;
  readonly prefix: string;
}

export interface ApiKeyRecord {
  readonly id: string;
  readonly name: string;
  /** The beginning of the key, by which people tell it from others. */
  readonly prefix: string;
  readonly createdAt: Instant;
  /** Null: the key opens the API. */
  readonly revokedAt: Instant | null;
}

/** Keys of the API: what is known of them without knowing them. Rows are never removed. Errors are those of the Store. */
export interface ApiKeyStore {
  /** Conflict when a key of this hash is there already. */
  create(key: NewApiKey): Promise<ApiKeyRecord>;
  /** Also finds revoked keys. */
  findByHash(hash: string): Promise<ApiKeyRecord | undefined>;
  /** Oldest first, revoked ones among them. */
  list(page: { readonly limit: number; readonly cursor?: string }): Promise<Page<ApiKeyRecord>>;
  /** For good; the first time counts. NotFound when there is no such key. */
  revoke(id: string): Promise<ApiKeyRecord>;
}

/** Fits into one `\S+` of a header, and is found by scanners for leaked secrets. */
const MARK = 'argosy_';
/** 36 of the key's 256 bits may be read by everybody who may list keys. */
const SHOWN = MARK.length + 6;
const KEY = new RegExp(`^${MARK}[\\w-]{43}$`);

/** A new key. Whoever calls shows `key` to its owner and forgets it; the rest may be stored. */
export function mintApiKey(): { readonly key: string } & Pick<NewApiKey, 'hash' | 'prefix'> {
  const key = MARK + randomBytes(32).toString('base64url');
  return { key, hash: hashOfApiKey(key), prefix: key.slice(0, SHOWN) };
}

/** Without salt and without stretching: nobody guesses 256 random bits, and a salted hash could not be looked up. */
export const hashOfApiKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Whether a text can be one of ours at all: everything else is refused without asking the database. */
export const looksLikeApiKey = (text: string): boolean => KEY.test(text);
