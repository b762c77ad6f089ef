import { z } from 'zod';

/** A variable set to nothing counts as not set: compose files and shells produce those. */
const optional = <Schema extends z.ZodType>(schema: Schema) => z.preprocess((value) => (value === '' ? undefined : value), schema.optional());
const withDefault = <Schema extends z.ZodType>(schema: Schema, value: string) => z.preprocess((given) => (given === undefined || given === '' ? value : given), schema);

const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,12}$/, `a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `a whole number from ${least} to ${most}`);
const ratio = z
  .string()
  .regex(/^\d*\.?\d+$/, 'a number from 0 to 1')
  .transform(Number)
  .refine((value) => value >= 0 && value <= 1, 'a number from 0 to 1');
const url = (protocols: readonly string[]) => {
  const allowed = `an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
  return z.string().refine((value) => protocols.includes(URL.parse(value)?.protocol ?? ''), allowed);
};
const timeZone = z.string().refine(isTimeZone, 'an IANA time zone such as Europe/Berlin');
const words = z.string().transform((value) => value.split(',').map((word) => word.trim()).filter((word) => word !== ''));

export interface Variable {
  readonly schema: z.ZodType;
  /** One sentence for .env.example. */
  readonly meaning: string;
  /** As it would be written into the file; null when there is none. */
  readonly preset: string | null;
  /** Its value is never printed. */
  readonly isSecret?: boolean;
}

const variable = <Schema extends z.ZodType>(schema: Schema, meaning: string, isSecret = false) => ({ schema: optional(schema), meaning, preset: null, isSecret });
const preset = <Schema extends z.ZodType>(schema: Schema, value: string, meaning: string) => ({ schema: withDefault(schema, value), meaning, preset: value, isSecret: false });

/** Every variable that any process of ours reads, in the order of .env.example. */
export const variables = {
  DATABASE_URL: { schema: url(['postgres:', 'postgresql:']), meaning: 'The Postgres that holds the truth, version 14 or newer.', preset: null, isSecret: true },
  DATABASE_POOL_SIZE: preset(whole(1, 500), '10', 'Connections of one process to that Postgres, besides those of the queue.'),
  REDIS_URL: variable(url(['redis:', 'rediss:']), 'The Redis that rings the bell. Not set: BullMQ uses the Postgres above.', true),

  HOST: preset(z.string(), '127.0.0.1', 'Where the API listens. Anything but a loopback address needs an API key: the one below, or a stored one.'),
  PORT: preset(whole(0, 65_535), '5678', 'The port of the API.'),
  ARGOSY_URL: variable(url(['http:', 'https:']), 'Under which address the outside reaches the API: for webhook, form and resume links.'),
  ARGOSY_API_KEY: variable(z.string().min(16, 'at least 16 characters'), 'A first API key, valid beside the stored ones that `argosy api-key create` makes. Without any key at all the API is open, on a loopback address only.', true),
  BODY_LIMIT_BYTES: preset(whole(1_024, 1_073_741_824), '16777216', 'The largest request the API takes.'),

  WORKER_SLOTS: preset(whole(1, 10_000), '20', 'Activations that one worker runs at a time.'),
  WORKER_QUEUES: preset(words, 'default', 'The queues a worker serves, separated by commas.'),
  WORKER_HEALTH_PORT: variable(whole(0, 65_535), 'A worker answers /livez, /readyz and /metrics here. Not set: no port is opened.'),
  WORKER_ID: variable(z.string().max(100), 'The name of a worker in leases and spans. Not set: one is made up at each start.'),
  MAX_LOSSES: preset(whole(1, 100), '3', 'How often an activation may be lost with its worker before it fails for good.'),
  LEASE_SECONDS: preset(whole(1, 3_600), '15', 'How long a worker may be silent before its activations go to another.'),
  CONTINUE_LIMIT: preset(whole(0, 1_000_000), '100', 'Successors that a worker runs in one go before it lets others have a turn.'),
  CONTINUE_MS: preset(whole(0, 600_000), '2000', 'How long it may do so.'),
  COMMIT_BATCH_SIZE: preset(whole(1, 10_000), '100', 'Commits that may share one transaction.'),
  COMMIT_LANES: preset(whole(1, 64), '3', 'Transactions a process has in flight before commits gather and share one.'),
  SWEEP_INTERVAL_MS: preset(whole(50, 600_000), '1000', 'How often a worker looks for expired leases, due timers and unannounced work.'),
  SWEEP_LIMIT: preset(whole(1, 10_000), '500', 'Rows of each kind that one such look handles.'),
  ANNOUNCE_AFTER_MS: preset(whole(50, 600_000), '5000', 'A message that nobody followed for this long is taken for lost and sent again.'),
  POLL_INTERVAL_MS: preset(whole(20, 600_000), '250', 'How often a worker with free slots asks the database itself while the bell is broken.'),
  IDLE_POLL_INTERVAL_MS: preset(whole(20, 600_000), '5000', 'The same while the bell works.'),
  SHUTDOWN_GRACE_MS: preset(whole(0, 3_600_000), '30000', 'How long running activations may go on after SIGTERM.'),

  NODE_DEADLINE_MS: preset(whole(100, 86_400_000), '300000', 'The longest a node may run unless its workflow says otherwise.'),
  MAX_CALLED_EXECUTIONS: preset(whole(1, 100_000_000), '100000', 'Executions that one may bring about by calling workflows, itself and through those it called.'),
  ITEM_LIMIT: preset(whole(1, 100_000_000), '100000', 'Items that an execution may be started with.'),
  DEPTH_LIMIT: preset(whole(8, 10_000), '200', 'How deeply the body of a request may be nested.'),
  SANDBOX_MEMORY_MB: preset(whole(8, 16_384), '64', 'Memory of one sandbox for expressions and Code nodes.'),
  SANDBOX_TIMEOUT_MS: preset(whole(10, 3_600_000), '5000', 'The longest that an expression may compute in the sandbox; Code nodes get twelve times as much.'),
  SANDBOX_POOL_SIZE: preset(whole(1, 64), '2', 'Sandboxes that one worker keeps.'),
  EXPRESSION_ENV: preset(words, '', 'Environment variables that expressions may read as $env, separated by commas.'),

  GENERIC_TIMEZONE: preset(timeZone, 'UTC', 'The time zone of workflows that name none.'),
  LOG_LEVEL: preset(z.enum(['silent', 'error', 'warn', 'info', 'debug']), 'info', 'silent, error, warn, info or debug.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(url(['http:', 'https:']), 'The collector for spans, without a path. Not set: no spans.'),
  OTEL_TRACES_SAMPLER_ARG: preset(ratio, '1', 'The share of traces to keep, from 0 to 1.'),

  FAILPOINTS: preset(words, '', 'For tests only: places where the process kills itself or waits.'),
} as const satisfies Record<string, Variable>;

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
