/** A fleet on this machine: database, API and workers, as child processes of the command. */
export interface RunningFleet {
  readonly url: string;
  /** Resolves when a process of it ends that was not asked to. */
  readonly failed: Promise<string>;
  stop(): Promise<void>;
}

/** Starts processes; everything else a command does goes through the API. */
export interface FleetStarter {
  /** Resolves when the API is ready and all workers listen. */
  up(options: { readonly workers: number; readonly slotsPerWorker?: number; readonly report: (sentence: string) => void }): Promise<RunningFleet>;
  /** Becomes one process of a fleet until it ends; answers with its exit code. */
  become(role: 'api' | 'worker' | 'migrate'): Promise<number>;
}
