import { z } from 'zod';

/** Text that a database can hold: Postgres has no place for the character NUL. */
export const text = (longest: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(longest, `must have at most ${longest} characters`)
    .regex(/^[^\0]*$/, 'must not contain the character NUL');

/** Of every list: how many rows, and where to go on. */
export const pageQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(250)
    .default(100)
    .meta({ description: 'Rows per page.', wire: { type: 'integer' } }),
  cursor: text(1_000).optional().describe('The nextCursor of the page before.'),
});

/** A yes or no in a query: clients write true, 1 or yes. */
export const flag = z.stringbool().meta({ wire: { type: 'boolean' } });

export const moment = z.iso
  .datetime({ offset: true, error: 'must be a moment in ISO 8601, for instance 2026-01-31T12:00:00Z' })
  .transform((text) => Date.parse(text))
  .meta({ wire: { type: 'string', format: 'date-time' } });

/** Ids are digits (clients put them into paths typed as integers) and fit into 63 bits. */
export const isExecutionId = (id: string): boolean => /^\d{1,19}$/.test(id) && BigInt(id) < 2n ** 63n;

/**
 * An object whose keys the client chooses, taken as it is: schemas of objects drop the key `__proto__`, which is as good
 * a name for a node as any.
 */
export const anyObject = (error = 'must be an object') =>
  z
    .custom<{ readonly [key: string]: unknown }>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), { error })
    .meta({ wire: { type: 'object', additionalProperties: {} } });
