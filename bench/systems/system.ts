/** A durable executor under load: something that takes an item through ten durable steps. */
export interface System {
  readonly name: string;
  /** How many executions in flight suit it best on a small machine. */
  readonly concurrency: number;
  /** Executions of one measured run: some seconds of work, and many times the concurrency. */
  readonly runSize: number;
  /** Takes `count` executions from accept to finish, `concurrency` at a time; answers with the milliseconds this took. */
  throughput(count: number, concurrency: number): Promise<number>;
  /** Milliseconds from the client's request until the client knows that the execution has finished; nothing else runs. */
  latency(): Promise<number>;
  stop(): Promise<void>;
}
