/** The database did not answer, or not in a way that says what happened. Try again; nothing is known to have changed. */
export class StoreUnavailable extends Error {
  readonly code = 'store_unavailable';
  constructor(doing: string, cause: unknown) {
    super(`The store is not available while it should ${doing}: ${cause instanceof Error ? cause.message : String(cause)}. Is Postgres up and DATABASE_URL right?`, { cause });
  }
}

export class NotFound extends Error {
  readonly code = 'not_found';
  constructor(
    readonly what: string,
    readonly id: string,
  ) {
    super(`There is no ${what} ${id}.`);
  }
}

export class Conflict extends Error {
  readonly code = 'conflict';
}

/** The database's schema is not the one this version was written for. */
export class SchemaMismatch extends Error {
  readonly code = 'schema_mismatch';
}

/**
 * What one step would write cannot be written, however often it is tried: too large, too deep, not JSON. Others are not
 * concerned, and nothing has changed: the caller may commit something else under the same lease.
 */
export class Unwritable extends Error {
  override readonly name = 'Unwritable';
  readonly code = 'unwritable_result';
  readonly retryable = false;
  constructor(cause: unknown) {
    super(`The result of this node cannot be stored: ${cause instanceof Error ? cause.message : String(cause)}. Let it give fewer, smaller or flatter items.`, { cause });
  }
}
