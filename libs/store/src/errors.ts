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
