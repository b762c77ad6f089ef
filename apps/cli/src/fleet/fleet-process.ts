import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { dirname } from 'node:path';

export interface FleetProcessOptions {
  /** How messages call it: "API", "worker 1". */
  name: string;
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  logFile: string;
  /** It takes the place of one that ended: the log goes on. */
  isSuccessor?: boolean;
}

/** What the process said last, for the message about its end. */
const tailLimit = 2_000;

/** One process of a fleet: its output goes to a file, and its end is known. */
export class FleetProcess {
  readonly name: string;
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  readonly #log: WriteStream;
  #tail = '';

  constructor({ name, command, args, env, logFile, isSuccessor = false }: FleetProcessOptions) {
    this.name = name;
    mkdirSync(dirname(logFile), { recursive: true });
    this.#log = createWriteStream(logFile, { flags: isSuccessor ? 'a' : 'w' });
    this.#child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.on('data', (chunk: Buffer) => this.#keep(chunk));
    this.ended = new Promise((resolve) => {
      this.#child.once('error', (error) => resolve(`${name} could not be started: ${error.message}`));
      this.#child.once('close', (code, signal) => resolve(`${name} ended with ${signal ?? `code ${code}`}; its log is ${logFile}.\n${this.#tail.trimEnd()}`));
    });
    void this.ended.then(() => this.#log.end());
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null || this.#child.pid === undefined;
  }

  /** Asks it to drain, and ends it after the grace. */
  async stop(graceMs: number): Promise<void> {
    if (this.hasEnded) return;
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), graceMs);
    await this.ended;
    clearTimeout(timer);
  }

  /** At once: it no longer hears anything else. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #keep(chunk: Buffer): void {
    this.#log.write(chunk);
    this.#tail = (this.#tail + chunk.toString()).slice(-tailLimit);
  }
}
