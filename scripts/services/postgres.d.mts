export interface EmbeddedPostgres {
  readonly url: string;
  /** False when it was running already; then `stop` leaves it alone. */
  readonly started: boolean;
  stop(): Promise<void>;
}
export function startLasting(folder?: string): Promise<EmbeddedPostgres>;
export function startThrowaway(options?: { durable?: boolean }): Promise<EmbeddedPostgres>;
