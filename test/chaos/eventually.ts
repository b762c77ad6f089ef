import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again until the answer is neither false, null nor undefined; throws with the sentence when time is up. */
export async function eventually<T>(what: string, withinMs: number, ask: () => T | Promise<T>, everyMs = 50): Promise<NonNullable<T>> {
  for (const until = Date.now() + withinMs; ; await sleep(everyMs)) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > until) throw new Error(`Not within ${withinMs} ms: ${what}.`);
  }
}

export { sleep };
