/** Remembers when work was last asked for: a worker is healthy when it takes, not when its process is up. */
export class PopWatchdog {
  private last = performance.now();

  popped(): void {
    this.last = performance.now();
  }

  polled(): void {
    this.last = performance.now();
  }

  isAlive(withinMs: number): boolean {
    return performance.now() - this.last < withinMs;
  }
}
