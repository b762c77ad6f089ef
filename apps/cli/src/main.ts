import { join } from 'node:path';
import { ApiClient } from './api-client.ts';
import { runCli } from './cli.ts';
import { processFleet } from './process-fleet.ts';
import { postgresOpener } from './store-opener.ts';

const VERSION = '0.1.0';
const { ARGOSY_URL, ARGOSY_API_KEY } = process.env;

process.exitCode = await runCli(process.argv.slice(2), {
  terminal: {
    out: (text) => void process.stdout.write(text),
    note: (text) => void process.stderr.write(text),
    columns: process.stderr.isTTY ? process.stderr.columns : null,
  },
  api: new ApiClient({ url: (ARGOSY_URL || 'http://127.0.0.1:5678').replace(/\/+$/, ''), key: ARGOSY_API_KEY || undefined }),
  isUrlGiven: Boolean(ARGOSY_URL),
  fleet: processFleet(process.env),
  openStore: postgresOpener(process.env.DATABASE_URL),
  // Next to dist/, in a checkout and in the image.
  version: VERSION,
  examplesFolder: join(import.meta.dirname, '..', 'examples'),
  stopSignal: () => {
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
    return stop.signal;
  },
});
