import { describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../errors.ts';
import { asStoreError } from './unavailable.ts';

describe('errors of the database client', () => {
  it.each([
    Object.assign(new Error("Can't reach database server"), { code: 'P1001' }),
    new Error('Connection terminated unexpectedly'),
    new Error('Client has encountered a connection error and is not queryable'),
  ])('say that the store is away: %s', (error) => {
    expect(asStoreError(error)).toBeInstanceOf(StoreUnavailable);
  });

  it('stay what they are otherwise', () => {
    const error = Object.assign(new Error('Unique constraint failed'), { code: 'P2002' });
    expect(asStoreError(error)).toBe(error);
  });
});
