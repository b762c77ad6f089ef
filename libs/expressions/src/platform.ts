import { createHash } from 'node:crypto';
import type { Platform } from './execution-data.ts';

/** The worker's own thread. */
export const nodePlatform: Platform = {
  hash: (algorithm, text) =>
    createHash(algorithm === 'sha3' ? 'sha3-512' : algorithm)
      .update(text, 'utf8')
      .digest('hex'),
};
