import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { nodeFlags } from '../../scripts/paths.mjs';

/** One process of a fleet under test. */
export class FleetProcess {
  /** Everything it printed, for the report of a failed test. */
  readonly output: string[] = [];
  readonly exited: Promise<number | string>;

  private constructor(
    readonly name: string,
    private readonly child: ChildProcess,
  ) {
    const keep = (chunk: Buffer): void => {
      this.output.push(chunk.toString());
      if (this.output.length > 500) this.output.shift();
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    this.exited = new Promise((done) => child.once('exit', (code, signal) => done(signal ?? code ?? -1)));
  }

  static start(name: string, bundle: 'api' | 'worker', env: Readonly<Record<string, string>>): FleetProcess {
    const child = spawn(process.execPath, [...nodeFlags, resolve(`dist/${bundle}.js`)], { env: { PATH: process.env['PATH'] ?? '', ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    return new FleetProcess(name, child);
  }

  get pid(): number {
    return this.child.pid!;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Waits until it prints the text. */
  async prints(text: string, withinMs = 30_000): Promise<void> {
    for (const until = Date.now() + withinMs; Date.now() < until; ) {
      if (this.output.join('').includes(text)) return;
      if (!this.isRunning) break;
      await new Promise((done) => setTimeout(done, 20));
    }
    throw new Error(`${this.name} did not print "${text}". It printed:\n${this.output.join('').slice(-3000)}`);
  }

  async stop(withinMs = 5000): Promise<void> {
    if (!this.isRunning) return;
    this.signal('SIGCONT');
    this.signal('SIGTERM');
    const timer = setTimeout(() => this.signal('SIGKILL'), withinMs);
    await this.exited;
    clearTimeout(timer);
  }
}

export async function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
