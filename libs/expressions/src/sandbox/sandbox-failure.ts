import type ivm from 'isolated-vm';
import { ExpressionError } from '../errors.ts';

class DeadlinePassed extends Error {}
/** The execution or the worker is ending. */
export class Aborted extends Error {}

/**
 * isolated-vm's own limit covers code that runs, this one also code that waits and never goes on. Disposing the isolate
 * is the only way to stop it for certain.
 */
export async function withDeadline<T>(
  limit: { readonly isolate: ivm.Isolate; readonly ms: number; readonly signal?: AbortSignal | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const { isolate, ms, signal } = limit;
  return await new Promise<T>((resolve, reject) => {
    const stop = (reason: Error): void => {
      reject(reason);
      if (!isolate.isDisposed) isolate.dispose();
    };
    // A little later than the limit of isolated-vm, whose error leaves the isolate alive.
    const timer = setTimeout(() => stop(new DeadlinePassed()), ms + 100);
    const onAbort = (): void => stop(new Aborted());
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) onAbort();
    work()
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      });
  });
}

/** What went wrong, in words for the author of the workflow. */
export function failureOf(
  error: unknown,
  limits: { readonly what: string; readonly timeoutMs: number; readonly memoryMb: number },
): ExpressionError {
  if (error instanceof ExpressionError) return error;
  const { what, timeoutMs, memoryMb } = limits;
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof Aborted)
    return new ExpressionError('expression_timeout', `${what} was stopped because the execution or the worker is ending`);
  if (error instanceof DeadlinePassed || /timed out/.test(reason)) {
    return new ExpressionError(
      'expression_timeout',
      `${what} took longer than ${timeoutMs} ms and was stopped`,
      'Does it loop without end, wait for something that never happens, or handle too much data at once?',
    );
  }
  if (/memory limit|out of memory|Array buffer allocation failed|Invalid array length/i.test(reason)) {
    return new ExpressionError(
      'expression_out_of_memory',
      `${what} needed more than ${memoryMb} MB of memory and was stopped`,
      'Handle fewer items at once, for instance in batches of a loop.',
    );
  }
  return new ExpressionError('expression_sandbox_failed', `${what} could not be run: ${reason}`);
}
