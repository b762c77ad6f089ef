import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';

const folder = resolve('bench/peers');

/** Installs what bench/peers/package-lock.json says, unless it is there. */
export async function installPeers(): Promise<void> {
  const lock = (path: string): string | null => (existsSync(path) ? readFileSync(path, 'utf8') : null);
  const versions = (text: string | null): string => JSON.stringify(Object.entries((JSON.parse(text ?? '{}') as { packages?: Record<string, { version?: string; optional?: boolean }> }).packages ?? {}).filter(([path, { optional }]) => path !== '' && !optional).map(([path, { version }]) => [path, version]));
  if (versions(lock(`${folder}/node_modules/.package-lock.json`)) === versions(lock(`${folder}/package-lock.json`))) return;
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
}

/** A peer's process. It has started when it prints `sign`. */
export class PeerProcess {
  private constructor(private readonly child: ChildProcess) {}

  static async start(command: string, args: readonly string[], env: Readonly<Record<string, string>>, isUp: (output: string) => boolean | Promise<boolean>): Promise<PeerProcess> {
    const child = spawn(command, args, { cwd: folder, env: { PATH: process.env['PATH'] ?? '', ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk: Buffer): void => void (output = (output + chunk.toString()).slice(-20_000));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const peer = new PeerProcess(child);
    for (const until = Date.now() + 60_000; Date.now() < until && child.exitCode === null; await new Promise((done) => setTimeout(done, 50))) if (await isUp(output)) return peer;
    await peer.stop();
    throw new Error(`${command} ${args.join(' ')} did not start. It printed:\n${output.slice(-3_000)}`);
  }

  get pid(): number {
    return this.child.pid!;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = new Promise((done) => this.child.once('exit', done));
    this.child.kill('SIGKILL');
    await gone;
  }
}
