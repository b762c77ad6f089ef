import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@app/engine';
import { nodeContext } from '../../testing/node-context.ts';
import { wait } from './wait.ts';

const now = Date.parse('2024-01-01T00:00:00Z');
const run = (parameters: JsonObject, version = 1.1, timezone = 'UTC') => wait.run(nodeContext(wait, { version, parameters, now, timezone, inputs: [[{ id: 1 }]] }));

describe('Wait', () => {
  it.each([
    [{}, 1.1, 5_000],
    [{}, 1, 3_600_000],
    [{ amount: 2, unit: 'days' }, 1.1, 2 * 86_400_000],
    [{ amount: '0.5', unit: 'minutes' }, 1.1, 30_000],
  ])('parks for the interval %j of version %d', (parameters, version, ms) => {
    expect(run(parameters, version)).toEqual({ kind: 'suspend', wait: 'time', key: 'time', until: now + ms });
  });

  it('does not park when there is nothing to wait for', () => {
    expect(run({ amount: 0 })).toMatchObject({ kind: 'items', outputs: [[{ json: { id: 1 } }]] });
    expect(run({ resume: 'specificTime', dateTime: '2020-01-01' })).toMatchObject({ kind: 'items' });
  });

  it('reads a moment without offset in the time zone of the workflow', () => {
    const result = run({ resume: 'specificTime', dateTime: '2024-01-02T00:00:00' }, 1.1, 'America/New_York');
    expect(result).toMatchObject({ until: Date.parse('2024-01-02T05:00:00Z') });
  });

  it.each([
    [{ amount: -5 }, /wait amount/],
    [{ amount: 'soon' }, /wait amount/],
    [{ amount: 1e15, unit: 'days' }, /after the year 275760/],
    [{ unit: 'fortnights' }, /wait unit/],
    [{ resume: 'specificTime', dateTime: 'soon' }, /not a date/],
    [{ resume: 'never' }, /unknown value "never"/],
  ])('refuses %j', (parameters, message) => {
    expect(() => run(parameters)).toThrow(message);
  });

  it('waits for a call without end, or with a limit', () => {
    expect(run({ resume: 'webhook' })).toEqual({ kind: 'suspend', wait: 'callback', key: 'webhook', until: null });
    expect(run({ resume: 'form', options: { webhookSuffix: '/ok' } })).toMatchObject({ key: 'form/ok' });
    const limited = { resume: 'webhook', limitWaitTime: true };
    expect(run({ ...limited, resumeAmount: 2, resumeUnit: 'minutes' })).toMatchObject({ until: now + 120_000 });
    expect(run({ ...limited, limitType: 'atSpecifiedTime', maxDateAndTime: '2024-01-01T01:00:00Z' })).toMatchObject({ until: now + 3_600_000 });
  });
});
