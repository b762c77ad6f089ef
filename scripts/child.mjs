/** Runs other programs for the launchers. */
import { spawn } from 'node:child_process';
import { node24, nodeFlags, root } from './paths.mjs';

/**
 * Runs a program to its end with the terminal handed through. Answers with its exit code; a signal counts as 128 + number.
 * SIGINT and SIGTERM are passed on, and the program decides how to end: a drain must not be cut short by its launcher.
 */
export async function run(command, args, { env = process.env, cwd = root, stdio = 'inherit' } = {}) {
  const child = spawn(command, args, { cwd, env, stdio });
  return await untilExit(child);
}

/** As `run`, for a JavaScript file under Node 24 with our flags. */
export const runNode = (file, args = [], options) => run(node24, [...nodeFlags, file, ...args], options);

/** Runs quietly; throws an Error that carries the output when the program fails. */
export async function runOrThrow(command, args, options = {}) {
  let output = '';
  const child = spawn(command, args, { cwd: root, ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const code = await untilExit(child);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with code ${code}.\n${output.slice(-4000)}`);
  return output;
}

function untilExit(child) {
  // Ctrl-C reaches every process of the terminal by itself; a second copy would cut a drain short.
  const passOn = (signal) => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM'];
  for (const signal of signals) process.on(signal, passOn);
  return new Promise((resolve, reject) => {
    const done = () => signals.forEach((signal) => process.off(signal, passOn));
    child.once('error', (error) => (done(), reject(error)));
    child.once('close', (code, signal) => (done(), resolve(code ?? 128 + (signal === 'SIGINT' ? 2 : signal === 'SIGKILL' ? 9 : 15))));
  });
}
