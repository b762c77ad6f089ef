import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';

/** Of Linux' clock ticks there are a hundred in a second, on every machine we run on. */
const ticksMs = 10;

/** Milliseconds of processor that a process has used so far, its children aside. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name stands in parentheses and may contain anything: fields are counted from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * ticksMs;
}

export function residentMb(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** Looks each second how much memory processes hold; `stop` answers with the most that any of them held. */
export function watchMemory(pids: readonly number[]): { stop(): number } {
  let peak = 0;
  const look = (): void => void (peak = Math.max(peak, ...pids.map(residentMb)));
  look();
  const timer = setInterval(look, 1_000);
  return {
    stop: () => {
      clearInterval(timer);
      look();
      return peak;
    },
  };
}

export function commitOfCheckout(): string {
  try {
    const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
    return execFileSync('git', ['status', '--porcelain', '--untracked-files=no'], { encoding: 'utf8' }).trim() === '' ? commit : `${commit} with changes`;
  } catch {
    return 'unknown';
  }
}
