import { Worker } from 'node:worker_threads';

/**
 * A process whose main thread has not come round for so long never will: something in it loops. Its leases are long gone,
 * and others do its work; but it would stay, take nothing and free nothing.
 */
const BLOCKED_TICKS = 60;
const TICK_MS = 1_000;

/** Ticks are counted, not time: a machine that slept is no process that hangs. */
const WATCH = `
const { workerData: { beats, ticks, tickMs } } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const heard = new Int32Array(beats);
let last = 0;
let silent = 0;
setInterval(() => {
  const beat = Atomics.load(heard, 0);
  silent = beat === last ? silent + 1 : 0;
  last = beat;
  if (silent < ticks) return;
  writeSync(2, JSON.stringify({ level: 'fatal', context: 'worker', message: 'The main thread has been blocked for ' + Math.round(ticks * tickMs / 1000) + ' s; the process ends itself so that a new one can take its place.' }) + '\\n');
  process.kill(process.pid, 'SIGKILL');
}, tickMs);
`;

/** Ends this process with SIGKILL when its main thread is blocked for a minute. Answers how to stop watching. */
export function watchForBlocks(ticks = BLOCKED_TICKS, tickMs = TICK_MS): () => void {
  const beats = new SharedArrayBuffer(4);
  const beat = new Int32Array(beats);
  const heart = setInterval(() => void Atomics.add(beat, 0, 1), tickMs / 2);
  heart.unref();
  const thread = new Worker(WATCH, { eval: true, workerData: { beats, ticks, tickMs }, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 } });
  thread.unref();
  return () => {
    clearInterval(heart);
    void thread.terminate();
  };
}
