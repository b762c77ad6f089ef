import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';

const module = new URL('./block-watchdog.ts', import.meta.url).href;

/** A process of its own that watches itself with ten ticks of 20 ms. */
async function ending(script: string): Promise<{ signal: string | null; code: number | null; said: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', `import { watchForBlocks } from ${JSON.stringify(module)}; const stop = watchForBlocks(10, 20); ${script}`], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code, signal, said };
}

describe('the watch over the main thread', () => {
  it('ends a process that is blocked and says why', async () => {
    const { signal, said } = await ending('setTimeout(() => { for (;;); }, 100);');
    expect(signal).toBe('SIGKILL');
    expect(said).toContain('blocked');
  });

  it('lets a process be that is busy but comes round, and does not keep it alive', async () => {
    const { code, signal } = await ending('const busy = setInterval(() => { const until = Date.now() + 60; while (Date.now() < until); }, 5); setTimeout(() => clearInterval(busy), 800);');
    expect({ code, signal }).toEqual({ code: 0, signal: null });
  });
});
