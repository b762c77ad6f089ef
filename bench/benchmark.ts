import type { Verdict } from './targets.ts';

export interface BenchSettings {
  /** Where Redis is; DATABASE_URL names the Postgres server. */
  readonly redisUrl: string;
  readonly peers: readonly PeerName[];
  /** 1 is the real size. The ordinary tests run a hundredth of it and look at no time. */
  readonly scale: number;
  /** Interleaved runs of which the median counts. */
  readonly rounds: number;
  readonly say: (line: string) => void;
}

export const peerNames = ['dbos', 'restate'] as const;
export type PeerName = (typeof peerNames)[number];

export interface Result {
  /** Numbers by what they mean, unit included in the name. */
  readonly figures: { readonly [name: string]: number | readonly number[] };
  readonly verdicts: readonly Verdict[];
}

/** `earlier` holds the results of the benchmarks before it in the same call. */
export type Benchmark = (settings: BenchSettings, earlier: ReadonlyMap<string, Result>) => Promise<Result>;

/** A share of a number that is right at full size, never less than `least`. */
export const scaled = (settings: BenchSettings, full: number, least: number): number => Math.max(least, Math.round(full * settings.scale));
