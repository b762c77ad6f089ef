import { createServer } from 'node:net';
import { freePort } from '../../../../scripts/services/free-port.mjs';

const usualPort = 5678;

/** The wished port; else the usual one if nobody listens there; else any free one. */
export async function chooseApiPort(wished: string | undefined): Promise<number> {
  if (wished) return Number(wished);
  return (await isFree(usualPort)) ? usualPort : await freePort();
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
