import { describe, expect, it } from 'vitest';
import { MemoryStore, StoreUnavailable } from '@app/store';
import { apiUnderTest } from '../../testing/api-under-test.ts';

class BrokenStore extends MemoryStore {
  constructor(private readonly error: Error) {
    super(Date.now);
  }
  override async listWorkflows(): Promise<never> {
    throw this.error;
  }
  override async health(): Promise<never> {
    throw this.error;
  }
}

describe('what clients learn of faults', () => {
  it('is that the database is away, and when to come back', async () => {
    const { request } = await apiUnderTest({ store: new BrokenStore(new StoreUnavailable('list workflows', new Error('connect ECONNREFUSED 10.0.0.1'))) });
    const { status, headers, body, text } = await request('GET', '/api/v1/workflows');
    expect({ status, retryAfter: headers['retry-after'], code: body.code }).toEqual({ status: 503, retryAfter: '1', code: 'store_unavailable' });
    expect(text).not.toContain('10.0.0.1');
    expect((await request('GET', '/readyz')).status).toBe(503);
    expect((await request('GET', '/healthz')).status).toBe(200);
  });

  it('is nothing but a reference, when the fault is ours', async () => {
    const { request } = await apiUnderTest({ store: new BrokenStore(new Error('the secret of the house')) });
    const { status, text } = await request('GET', '/api/v1/workflows');
    expect(status).toBe(500);
    expect(text).toContain('reference');
    expect(text).not.toContain('secret');
  });
});
