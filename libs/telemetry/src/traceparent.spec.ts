import { describe, expect, it } from 'vitest';
import { executionSpan, formatTraceparent, injectTraceparent, newTraceId, parseTraceparent } from './index.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const text = `00-${traceId}-b7ad6b7169203331-01`;

describe('traceparent', () => {
  it('reads what it writes', () => {
    expect(parseTraceparent(text)).toEqual({ traceId, spanId: 'b7ad6b7169203331', sampled: true });
    expect(formatTraceparent(parseTraceparent(text)!)).toBe(text);
  });

  it.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`],
    ['a span id of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['the forbidden version', `ff-${traceId}-b7ad6b7169203331-01`],
    ['more fields than its version has', `${text}-more`],
    ['capital letters', text.toUpperCase()],
    ['a header of megabytes', '0'.repeat(1_000_000)],
  ])('refuses %s', (_, bad) => {
    expect(parseTraceparent(bad)).toBeNull();
  });

  it('reads a later version as far as it is known', () => {
    expect(parseTraceparent(`01-${traceId}-b7ad6b7169203331-01-extra`)?.traceId).toBe(traceId);
  });

  it('continues the trace of an inbound request, and begins one otherwise', () => {
    expect(newTraceId(text)).toBe(traceId);
    expect(newTraceId('nonsense')).toMatch(/^[0-9a-f]{32}$/);
    expect(newTraceId()).not.toBe(newTraceId());
  });

  it('computes the same execution span everywhere, and another for another execution', () => {
    expect(executionSpan(traceId, '7')).toBe(executionSpan(traceId, '7'));
    expect(executionSpan(traceId, '7')).not.toBe(executionSpan(traceId, '8'));
    expect(parseTraceparent(executionSpan(traceId, '7'))?.traceId).toBe(traceId);
  });

  it('leaves a header alone that the author of a request set', () => {
    expect(injectTraceparent({ TraceParent: 'mine' }, text)).toEqual({ TraceParent: 'mine' });
    expect(injectTraceparent({ accept: '*/*' }, text)).toEqual({ accept: '*/*', traceparent: text });
    expect(injectTraceparent({ accept: '*/*' }, null)).toEqual({ accept: '*/*' });
  });
});
