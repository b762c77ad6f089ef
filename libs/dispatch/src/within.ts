export class TookTooLong extends Error {
  readonly code = 'took_too_long';
}

/** Settles like the promise, but rejects with TookTooLong after `ms`. What the promise does later is ignored. */
export function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new TookTooLong(`${what} took longer than ${ms} ms`)), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
