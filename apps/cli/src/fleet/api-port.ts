import { createServer } from 'node:net';
import { CommandFailed } from '../failures.ts';
import { freePort } from '../../../../scripts/services/free-port.mjs';

const usualPort = 5678;

/** The wished port, which must be free; else the usual one if nobody listens there; else any free one. */
export async function chooseApiPort(wished: string | undefined): Promise<number> {
  if (wished) {
    const port = Number(wished);
    // Whoever listens there already would answer for the API that cannot start.
    if (port !== 0 && !(await isFree(port))) throw new CommandFailed(`Port ${wished} is taken.`, 'Choose another one with PORT=…, or leave PORT unset: a free one is found.');
    return port === 0 ? await freePort() : port;
  }
  return (await isFree(usualPort)) ? usualPort : await freePort();
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
