import { z } from 'zod';

const whole = (least: number, most: number) => z.coerce.number().int().min(least).max(most);
const flag = z.enum(['true', 'false', '1', '0']).transform((value) => value === 'true' || value === '1');
const list = z.string().transform((value) => value.split(',').map((part) => part.trim()).filter((part) => part !== ''));
const url = (...protocols: string[]) => z.string().refine((value) => protocols.some((protocol) => value.startsWith(protocol)) && URL.canParse(value), { message: `must be a URL that starts with ${protocols.join(' or ')}` });

interface Variable<T extends z.ZodType = z.ZodType> {
  readonly schema: T;
  readonly meaning: string;
}

const variable = <T extends z.ZodType>(schema: T, meaning: string): Variable<T> => ({ schema, meaning });

/** Every variable the processes read, with its default and meaning. `.env.example` lists the same ones. */
export const VARIABLES = {
  DATABASE_URL: variable(url('postgres://', 'postgresql://').default('postgres://argosy:argosy@127.0.0.1:5432/argosy'), 'Postgres: the truth about every execution.'),
  DATABASE_POOL_SIZE: variable(whole(1, 200).default(8), 'Connections to Postgres per process.'),
  REDIS_URL: variable(url('redis://', 'rediss://').optional(), 'Redis for the queue; absent: the queue is kept in Postgres.'),
  HOST: variable(z.string().default('127.0.0.1'), 'Address the API listens on.'),
  PORT: variable(whole(0, 65535).default(5678), 'Port the API listens on; 0: a free one.'),
  BASE_URL: variable(url('http://', 'https://').optional(), 'Where the API is reached from outside; default: its own address.'),
  WORKER_ID: variable(z.string().max(100).optional(), 'Name of a worker in the step tables; default: host and process id.'),
  WORKER_SLOTS: variable(whole(1, 1000).default(16), 'Activations one worker runs at a time.'),
  WORKER_QUEUES: variable(list.default(['default']), 'Queues a worker takes from, separated by commas.'),
  WORKER_HEALTH_PORT: variable(whole(0, 65535).optional(), 'Port for /healthz, /readyz and /metrics of a worker; absent: none.'),
  LEASE_SECONDS: variable(whole(1, 3600).default(15), 'How long a worker may be silent before its activations go to another one.'),
  MAX_LOSSES: variable(whole(1, 100).default(3), 'How often an activation may be lost with its worker before it fails.'),
  CONTINUE_LIMIT: variable(whole(0, 100000).default(100), 'Successors one activation may drag along on the same worker.'),
  CONTINUE_MS: variable(whole(0, 600000).default(2000), 'How long such a chain may stay on one worker.'),
  COMMIT_BATCH_SIZE: variable(whole(1, 5000).default(200), 'Commits that may share one transaction.'),
  COMMIT_LANES: variable(whole(1, 64).default(3), 'Transactions a process has in flight before commits gather.'),
  SWEEP_INTERVAL_MS: variable(whole(10, 600000).default(1000), 'How often a worker looks for expired leases, due timers and lost messages.'),
  SWEEP_LIMIT: variable(whole(1, 10000).default(500), 'Rows of each kind one such look handles.'),
  ANNOUNCE_AFTER_MS: variable(whole(10, 600000).default(5000), 'A message unanswered for this long is sent again.'),
  POLL_INTERVAL_MS: variable(whole(10, 600000).default(250), 'How often workers ask Postgres for work while the queue is away.'),
  IDLE_POLL_INTERVAL_MS: variable(whole(10, 600000).default(5000), 'The same while the queue is there.'),
  SHUTDOWN_GRACE_MS: variable(whole(0, 600000).default(30000), 'How long running nodes may go on after SIGTERM.'),
  NODE_DEADLINE_MS: variable(whole(100, 86400000).default(300000), 'Running time of one attempt of a node.'),
  BODY_LIMIT_BYTES: variable(whole(1024, 1073741824).default(16777216), 'Largest request body.'),
  ITEM_LIMIT: variable(whole(1, 10000000).default(10000), 'Items an execution may be started with.'),
  DEPTH_LIMIT: variable(whole(8, 10000).default(200), 'How deeply request bodies may be nested.'),
  SANDBOX_MEMORY_MB: variable(whole(8, 4096).default(64), 'Memory of one sandbox.'),
  SANDBOX_TIMEOUT_MS: variable(whole(10, 600000).default(5000), 'Time limit of an expression in the sandbox; code gets twelve times as much.'),
  SANDBOX_POOL_SIZE: variable(whole(1, 64).default(2), 'Sandboxes per worker.'),
  EXPRESSION_ENV: variable(list.default([]), 'Environment variables that expressions may read, separated by commas.'),
  ARGOSY_API_KEY: variable(z.string().min(16).optional(), 'A first API key. Without any key the API is open, on loopback addresses only.'),
  ARGOSY_URL: variable(url('http://', 'https://').default('http://127.0.0.1:5678'), 'Where the command line finds the API.'),
  GENERIC_TIMEZONE: variable(z.string().refine(isTimezone, { message: 'must be a time zone such as Europe/Berlin' }).default('UTC'), 'Time zone of workflows that name none.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(url('http://', 'https://').optional(), 'Where traces go; absent: none are made.'),
  OTEL_TRACES_SAMPLER_ARG: variable(z.coerce.number().min(0).max(1).default(1), 'Share of executions that are traced.'),
  LOG_LEVEL: variable(z.enum(['debug', 'info', 'warn', 'error']).default('info'), 'What is logged.'),
  FAILPOINTS: variable(z.string().optional(), 'Tests only: places at which the process kills itself.'),
  ALLOW_PRIVATE_ADDRESSES: variable(flag.default(true), 'Whether HTTP nodes may reach private and loopback addresses.'),
};

function isTimezone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
