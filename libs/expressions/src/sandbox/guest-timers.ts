const MOST_TIMERS = 1_000;

/** Timers that last no longer than the code itself: with its end they are gone. */
export function timers(sleep: (ms: number) => Promise<void>): Record<string, unknown> {
  let last = 0;
  const active = new Set<number>();

  const start = (callback: unknown, ms: unknown, args: unknown[], repeats: boolean): number => {
    if (typeof callback !== 'function') throw new TypeError('A timer needs a function');
    if (active.size >= MOST_TIMERS) throw new RangeError(`More than ${MOST_TIMERS} timers at once`);
    const id = ++last;
    active.add(id);
    const wait = Math.max(1, Number(ms) || 0);
    const round = async (): Promise<void> => {
      do {
        await sleep(wait);
        if (!active.has(id)) return;
        if (!repeats) active.delete(id);
        (callback as (...args: unknown[]) => unknown)(...args);
      } while (repeats && active.has(id));
    };
    void round();
    return id;
  };
  const stop = (id: unknown): void => void active.delete(Number(id));

  return {
    setTimeout: (callback: unknown, ms?: unknown, ...args: unknown[]) => start(callback, ms, args, false),
    setInterval: (callback: unknown, ms?: unknown, ...args: unknown[]) => start(callback, ms, args, true),
    setImmediate: (callback: unknown, ...args: unknown[]) => start(callback, 0, args, false),
    clearTimeout: stop,
    clearInterval: stop,
    clearImmediate: stop,
    queueMicrotask: (callback: () => void) => void Promise.resolve().then(callback),
  };
}
