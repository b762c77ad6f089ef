import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadEnv } from './load-env.ts';
import { VARIABLES } from './variables.ts';

describe('the environment', () => {
  it('has a default or is optional throughout', () => {
    expect(loadEnv({})).toMatchObject({ PORT: 5678, WORKER_QUEUES: ['default'], LEASE_SECONDS: 15 });
  });

  it('reads numbers and lists, and takes empty values for absent ones', () => {
    const env = loadEnv({ PORT: '80', WORKER_QUEUES: 'a, b,', REDIS_URL: '' });
    expect(env).toMatchObject({ PORT: 80, WORKER_QUEUES: ['a', 'b'] });
    expect(env.REDIS_URL).toBeUndefined();
  });

  it('names everything that is wrong at once, with the value and the meaning', () => {
    expect(() => loadEnv({ PORT: 'x', DATABASE_URL: 'mysql://a', GENERIC_TIMEZONE: 'Mars/One' })).toThrow(/PORT="x".*\n.*|DATABASE_URL/s);
    try {
      loadEnv({ PORT: 'x', DATABASE_URL: 'mysql://a', GENERIC_TIMEZONE: 'Mars/One' });
    } catch (error) {
      for (const name of ['PORT', 'DATABASE_URL', 'GENERIC_TIMEZONE']) expect((error as Error).message).toContain(`${name}=`);
    }
  });

  it('is listed completely in .env.example', () => {
    const listed = [...readFileSync('.env.example', 'utf8').matchAll(/^#? ?([A-Z_]+)=/gm)].map((match) => match[1]);
    expect(listed.sort()).toEqual(Object.keys(VARIABLES).sort());
  });
});
