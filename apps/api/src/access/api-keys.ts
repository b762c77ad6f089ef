import { createHash, timingSafeEqual } from 'node:crypto';
import { hashOfApiKey, looksLikeApiKey, type ApiKeyStore } from '@app/store';

export type Standing = 'good' | 'revoked' | 'unknown';

/** A revocation takes effect within this time in every API process, and so does the first key of all. */
const keptMs = 5_000;

export interface ApiKeysOptions {
  /** Valid without being stored: with one of them the first key can be made from anywhere. */
  readonly bootstrap: readonly string[];
  readonly stored: ApiKeyStore;
  /** Milliseconds of a clock that never steps back. */
  readonly now?: () => number;
}

/** The keys that open the API. Only hashes are kept: a dump of the process does not give a key away. */
export class ApiKeys {
  readonly #bootstrap: readonly Buffer[];
  readonly #stored: ApiKeyStore;
  readonly #now: () => number;
  /** By hash, only keys that were good: what strangers send takes no memory. */
  readonly #goodUntil = new Map<string, number>();
  readonly #lookUps = new Map<string, Promise<Standing>>();
  #areRequired: boolean;
  #openUntil = 0;

  constructor({ bootstrap, stored, now = () => performance.now() }: ApiKeysOptions) {
    this.#bootstrap = bootstrap.map(digest);
    this.#stored = stored;
    this.#now = now;
    this.#areRequired = bootstrap.length > 0;
  }

  /**
   * Whether a request needs a key: as soon as there is one, and for good. Revoking the last one opens nothing to
   * everybody.
   */
  async areRequired(): Promise<boolean> {
    if (this.#areRequired || this.#now() < this.#openUntil) return this.#areRequired;
    const asked = this.#now();
    const { rows } = await this.#stored.list({ limit: 1 });
    this.#areRequired ||= rows.length > 0;
    this.#openUntil = asked + keptMs;
    return this.#areRequired;
  }

  async standingOf(key: string): Promise<Standing> {
    if (this.#isBootstrap(key)) return 'good';
    if (!looksLikeApiKey(key)) return 'unknown';
    const hash = hashOfApiKey(key);
    if (this.#now() < (this.#goodUntil.get(hash) ?? 0)) return 'good';
    const underWay = this.#lookUps.get(hash);
    if (underWay) return await underWay;
    const lookUp = this.#lookUp(hash).finally(() => this.#lookUps.delete(hash));
    this.#lookUps.set(hash, lookUp);
    return await lookUp;
  }

  /** Compares with every key in the same time, whichever one matches. */
  #isBootstrap(key: string): boolean {
    const sent = digest(key);
    return this.#bootstrap.reduce((found, known) => timingSafeEqual(known, sent) || found, false);
  }

  async #lookUp(hash: string): Promise<Standing> {
    const asked = this.#now();
    const record = await this.#stored.findByHash(hash);
    if (record?.revokedAt === null) {
      this.#goodUntil.set(hash, asked + keptMs);
      return 'good';
    }
    this.#goodUntil.delete(hash);
    return record ? 'revoked' : 'unknown';
  }
}

const digest = (key: string): Buffer => createHash('sha256').update(key).digest();
