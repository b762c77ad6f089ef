import { createHash, timingSafeEqual } from 'node:crypto';

/** The keys that open the API. Only hashes are kept: a dump of the process does not give a key away. */
export class ApiKeys {
  readonly #hashes: readonly Buffer[];

  constructor(keys: readonly string[]) {
    this.#hashes = keys.map(hashOf);
  }

  get isEmpty(): boolean {
    return this.#hashes.length === 0;
  }

  /** Compares with every key in the same time, whichever one matches. */
  has(key: string): boolean {
    const hash = hashOf(key);
    return this.#hashes.reduce((found, known) => timingSafeEqual(known, hash) || found, false);
  }
}

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();
