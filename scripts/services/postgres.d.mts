export interface EmbeddedPostgres {
  readonly url: string;
  /** False when it was running already; then `stop` leaves it alone. */
  readonly started: boolean;
  stop(): Promise<void>;
}
export function startLasting(folder?: string): Promise<EmbeddedPostgres>;
export interface ThrowawayPostgres extends EmbeddedPostgres {
  /** Ends it as a power cut would, as far as its sessions and its memory go. */
  crash(): Promise<void>;
  /** Starts it again on its data and its port; resolves when it takes connections. */
  restart(): Promise<void>;
}
export function startThrowaway(options?: { durable?: boolean }): Promise<ThrowawayPostgres>;
