import { describeStore } from '../../testing/store.contract.ts';
import { freshDatabase } from '../../testing/fresh-database.ts';
import { PostgresStore } from './postgres-store.ts';

const setup = (more: object) => async () => {
  const database = await freshDatabase();
  const store = new PostgresStore({ databaseUrl: database.url, ...more });
  const close = async () => {
    await store.close();
    await database.drop();
  };
  return { store, shiftClock: (ms: number) => store.shiftClock(ms), close };
};

describeStore('on Postgres', setup({}));
// Long executions are read row by row; with this every execution counts as long.
describeStore('on Postgres, reading only what a step asks for', setup({ wholeCommits: 0 }));
