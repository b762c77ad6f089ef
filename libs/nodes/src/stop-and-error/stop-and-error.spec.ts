import { describe, expect, it } from 'vitest';
import { outputsOf } from '../../testing/run-node.ts';
import { stopAndError } from './stop-and-error.ts';

describe('Stop and Error', () => {
  it('fails with the message of its author', async () => {
    await expect(outputsOf(stopAndError, { parameters: { errorMessage: 'broken branch' } })).rejects.toMatchObject({
      message: 'broken branch',
      code: 'stopped_on_purpose',
    });
  });

  it.each([
    ['{"message": "m", "error": "e"}', 'm'],
    ['{"description": "d", "error": "e"}', 'd'],
    ['{"error": "e"}', 'e'],
    ['{ "code": 17 }', 'Error: {"code":17}'],
  ])('finds the message in the object %s', async (errorObject, message) => {
    await expect(outputsOf(stopAndError, { parameters: { errorType: 'errorObject', errorObject } })).rejects.toThrow(message);
  });
});
