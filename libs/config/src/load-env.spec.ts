import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { envExample, InvalidEnvironment, loadEnv } from './index.ts';

const least = { DATABASE_URL: 'postgresql://argosy:secret@localhost/argosy' };

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadEnv(environment);
  } catch (error) {
    if (error instanceof InvalidEnvironment) return error.problems;
    throw error;
  }
  return [];
}

describe('the environment', () => {
  it('needs nothing but a database', () => {
    const env = loadEnv(least);
    expect(env).toMatchObject({ LEASE_SECONDS: 15, SHUTDOWN_GRACE_MS: 30_000, WORKER_QUEUES: ['default'], GENERIC_TIMEZONE: 'UTC', FAILPOINTS: [] });
    expect(env.REDIS_URL).toBeUndefined();
  });

  it('is typed: numbers are numbers and lists are lists', () => {
    const env = loadEnv({ ...least, WORKER_SLOTS: '8', OTEL_TRACES_SAMPLER_ARG: '0.25', WORKER_QUEUES: 'default, heavy ,' });
    expect(env).toMatchObject({ WORKER_SLOTS: 8, OTEL_TRACES_SAMPLER_ARG: 0.25, WORKER_QUEUES: ['default', 'heavy'] });
  });

  it('takes a variable set to nothing as not set', () => {
    expect(loadEnv({ ...least, REDIS_URL: '', WORKER_SLOTS: '' })).toMatchObject({ REDIS_URL: undefined, WORKER_SLOTS: 20 });
  });

  it('names every problem at once, with the value and what is allowed', () => {
    expect(problemsOf({ WORKER_SLOTS: 'many', LEASE_SECONDS: '0', REDIS_URL: 'localhost:6379', GENERIC_TIMEZONE: 'Mars/Olympus', LOG_LEVEL: 'loud' })).toEqual([
      'DATABASE_URL is not set. The Postgres that holds the truth, version 14 or newer.',
      'REDIS_URL is a value that does not fit, but must be an address that starts with redis:// or rediss://.',
      'WORKER_SLOTS is "many", but must be a whole number from 1 to 10000.',
      'LEASE_SECONDS is "0", but must be a whole number from 1 to 3600.',
      'GENERIC_TIMEZONE is "Mars/Olympus", but must be an IANA time zone such as Europe/Berlin.',
      'LOG_LEVEL is "loud", but must be one of "silent"|"error"|"warn"|"info"|"debug".',
    ]);
  });

  it('never prints a secret', () => {
    const [problem] = problemsOf({ ...least, ARGOSY_API_KEY: 'short-secret' });
    expect(problem).toContain('ARGOSY_API_KEY');
    expect(problem).not.toContain('short-secret');
  });

  it.each(['1e3', '-1', '1.5', ' 7', '0x10', '99999999999999'])('refuses %j as a whole number', (value) => {
    expect(problemsOf({ ...least, WORKER_SLOTS: value })).toHaveLength(1);
  });

  it('accepts the defaults that .env.example shows, and that file is up to date', () => {
    const file = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
    expect(file).toBe(envExample());
    const shown = Object.fromEntries([...file.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]));
    expect(loadEnv({ ...least, ...shown })).toEqual(loadEnv(least));
  });
});
