/**
 * Places at which a chaos test has the process die or stop, from `FAILPOINTS`: entries `place=action[:share]`,
 * action `kill`, `stop` (SIGSTOP) or `delay<ms>`; `share` is the chance per passing, default 1.
 * Without any the function does nothing.
 */
export function failpoints(entries: readonly string[], random: () => number = Math.random): (name: string) => void | Promise<void> {
  const points = new Map(entries.map(parse));
  if (points.size === 0) return () => {};
  return (name) => {
    const point = points.get(name);
    if (!point || random() >= point.share) return;
    if (point.action === 'kill') process.kill(process.pid, 'SIGKILL');
    else if (point.action === 'stop') process.kill(process.pid, 'SIGSTOP');
    else return new Promise((resolve) => setTimeout(resolve, point.ms));
  };
}

interface Failpoint {
  readonly action: 'kill' | 'stop' | 'delay';
  readonly ms: number;
  readonly share: number;
}

function parse(entry: string): [string, Failpoint] {
  const match = /^([\w:-]+)=(kill|stop|delay)(\d*)(?::([\d.]+))?$/.exec(entry.trim());
  if (!match) throw new Error(`FAILPOINTS: "${entry}" is not place=kill, place=stop or place=delay<ms>, optionally with :share.`);
  const [, place, action, ms, share] = match as unknown as [string, string, Failpoint['action'], string, string | undefined];
  return [place, { action, ms: Number(ms || 0), share: share === undefined ? 1 : Number(share) }];
}
