import { assertSchemaCurrent, PostgresStore, SchemaMismatch, StoreUnavailable, type Store } from '@app/store';
import { fromRoot } from '../../../scripts/paths.mjs';
import { CommandFailed } from './failures.ts';

/** Lends the store itself to a command that must work before any API can be asked. It is closed afterwards. */
export type StoreOpener = <T>(work: (store: Store) => Promise<T>) => Promise<T>;

/** The Postgres that DATABASE_URL names, once its schema is current. Its failures are told as CommandFailed. */
export function postgresOpener(databaseUrl: string | undefined): StoreOpener {
  return async (work) => {
    if (!databaseUrl) throw new CommandFailed('DATABASE_URL is not set.', 'Set it to the Postgres of the fleet.');
    if (!/^postgres(ql)?:$/.test(URL.parse(databaseUrl)?.protocol ?? '')) throw new CommandFailed('DATABASE_URL is not the address of a Postgres.', 'It begins with postgres://.');
    await assertSchemaCurrent(databaseUrl, fromRoot('prisma', 'migrations')).catch((error: unknown) => {
      throw error instanceof SchemaMismatch ? new CommandFailed(error.message, '"argosy migrate" brings a database to the current schema.') : unreachable(error);
    });
    const store = new PostgresStore({ databaseUrl, poolSize: 1 });
    try {
      return await work(store);
    } catch (error) {
      throw error instanceof StoreUnavailable ? unreachable(error.cause) : error;
    } finally {
      await store.close();
    }
  };
}

/** Nothing of the address is repeated: there is a password in it. */
const unreachable = (error: unknown): CommandFailed =>
  new CommandFailed(`The database does not answer as it should: ${reasonOf(error)}.`, 'Is Postgres up and DATABASE_URL right?');

/** A host with several addresses fails with an error that has a code and no message. */
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message || String((error as { code?: unknown }).code ?? error.name) : String(error));
