import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { BullmqDispatch, migratePostgresBackend, postgresBackend, redisBackend, type BullmqBackend } from '../src/index.ts';
import type { DispatchSetup } from './dispatch.contract.ts';
import { Wire } from './wire.ts';

/** Faults show within seconds instead of ten. A shorter lock would run out on a busy machine before it is settled. */
const timing = { lockMs: 3_000, abandonedCheckMs: 300, blockMs: 1_000, sendMs: 1_000, silenceMs: 500 };

export function bullmqSetup(url: string, backend: (url: string) => BullmqBackend, forget: () => Promise<void>): DispatchSetup {
  const wires: Wire[] = [];
  const connect = async (at: string) => new BullmqDispatch({ backend: backend(at), timing });
  return {
    connect: () => connect(url),
    faults: {
      forget,
      connectByWire: async () => {
        const wire = await Wire.to(url);
        wires.push(wire);
        const dispatch = await connect(wire.through(url));
        return { dispatch, cut: () => wire.cut(), restore: () => wire.restore(), freeze: () => wire.freeze() };
      },
    },
    close: async () => void (await Promise.all(wires.map((wire) => wire.cut()))),
  };
}

/** A database that holds BullMQ's schema and nothing else. */
export async function freshBullmqDatabase(serverUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `dispatch_${randomUUID().replaceAll('-', '')}`;
  const run = async (at: string, sql: string) => {
    const client = new pg.Client({ connectionString: at });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  await run(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migratePostgresBackend(url.toString());
  return { url: url.toString(), drop: () => run(serverUrl, `drop database ${name} with (force)`) };
}

export { postgresBackend, redisBackend };
