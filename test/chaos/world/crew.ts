import { freePort, type FleetProcess } from '../../support/fleet-process.ts';
import type { TestFleet } from '../../support/fleet.ts';
import { sleep } from '../eventually.ts';

export interface Member {
  readonly id: string;
  readonly process: FleetProcess;
  readonly metricsUrl: string;
}

export interface Death {
  readonly worker: string;
  readonly at: number;
  readonly how: string;
  /** The places of failpoints that struck in it, such as `worker:claimed/Pack`. */
  readonly strikes: readonly string[];
}

export type WorkerEnv = Readonly<Record<string, string>>;

/** The workers of a fleet under attack: whoever dies is replaced, and remembered. */
export class Crew {
  readonly members: Member[] = [];
  readonly deaths: Death[] = [];
  #started = 0;
  #isClosing = false;
  readonly #replacing = new Set<Promise<void>>();

  /** `envOf` says with what the nth worker (from 0) is started: failpoints, proxies. */
  constructor(
    private readonly fleet: TestFleet,
    private readonly envOf: (nth: number) => WorkerEnv,
  ) {}

  async hire(count: number): Promise<Member[]> {
    return Promise.all(Array.from({ length: count }, () => this.#hireOne()));
  }

  /** One more, with something of its own: a proxy, failpoints. */
  async hireWith(env: WorkerEnv): Promise<Member> {
    return this.#hireOne(env);
  }

  member(id: string): Member | undefined {
    return this.members.find((member) => member.id === id);
  }

  /** Stops waiting for it to live: its end is no death and it is not replaced. */
  retire(member: Member): void {
    const at = this.members.indexOf(member);
    if (at >= 0) this.members.splice(at, 1);
  }

  /** A counter or gauge over all living workers, all labels together. */
  async total(metric: string): Promise<number> {
    const values = await Promise.all(this.members.map((member) => metricOf(member.metricsUrl, metric)));
    return values.reduce((sum, value) => sum + value, 0);
  }

  /** How often failpoints of a place struck, in the dead and in the living. */
  strikes(place: string): number {
    const living = this.members.flatMap(({ process }) => strikesIn(process));
    return [...this.deaths.flatMap(({ strikes }) => strikes), ...living].filter((strike) => strike.startsWith(place)).length;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all(this.#replacing);
  }

  async #hireOne(env: WorkerEnv = this.envOf(this.#started++)): Promise<Member> {
    const port = await freePort();
    const [process] = await this.fleet.addWorkers(1, { WORKER_HEALTH_PORT: String(port), ...env });
    const member = { id: process!.name, process: process!, metricsUrl: `http://127.0.0.1:${port}/metrics` };
    this.members.push(member);
    void member.process.exited.then((how) => this.#bury(member, String(how)));
    return member;
  }

  async #bury(member: Member, how: string): Promise<void> {
    if (this.#isClosing || !this.members.includes(member)) return;
    this.retire(member);
    const at = Date.now();
    const replaced = (async () => {
      // Its last words may still be in the pipe.
      await sleep(50);
      this.deaths.push({ worker: member.id, at, how, strikes: strikesIn(member.process) });
      if (!this.#isClosing) await this.#hireOne();
    })().catch(() => {});
    this.#replacing.add(replaced);
    await replaced;
    this.#replacing.delete(replaced);
  }
}

const strikesIn = ({ output }: FleetProcess): string[] => [...output.join('').matchAll(/^failpoint (\S+):/gm)].map(([, place]) => place!);

/** The sum over all series of a metric; 0 where it is not there, or nobody answers. */
export async function metricOf(url: string, metric: string): Promise<number> {
  const text = await fetch(url, { signal: AbortSignal.timeout(2_000) }).then((response) => response.text(), () => '');
  return [...text.matchAll(new RegExp(`^${metric}(?:\\{[^}]*\\})? ([\\d.e+-]+)$`, 'gm'))].reduce((sum, [, value]) => sum + Number(value), 0);
}
