import { type Command } from '../command.ts';
import { CommandFailed } from '../failures.ts';
import { demonstrate } from '../demo.ts';
import { untilStopped } from './run.ts';

/** The demonstration has six branches: no worker can take all of them at once. */
const demoSlots = 3;

const become = (role: 'api' | 'worker' | 'migrate', about: string): Command => ({
  name: role,
  operands: '',
  about,
  options: {},
  count: [0, 0],
  run: ({ kit }) => kit.fleet.become(role),
});

export const api = become('api', 'Runs the API process.');
export const worker = become('worker', 'Runs a worker process.');
export const migrate = become('migrate', 'Brings the database to the current schema.');

export const up: Command = {
  name: 'up',
  operands: '',
  about: 'Starts database, API and workers on this machine, until Ctrl-C.',
  options: {
    workers: { type: 'string', about: 'How many workers. Default: 2.' },
    demo: { type: 'boolean', about: 'Publishes the examples and runs one.' },
    once: { type: 'boolean', about: 'Ends after that, with 0 if it succeeded.' },
  },
  count: [0, 0],
  async run({ kit, flag, number }) {
    const stop = kit.stopSignal();
    const fleet = await kit.fleet.up({
      workers: number('workers') ?? 2,
      slotsPerWorker: flag('demo') ? demoSlots : undefined,
      report: (sentence) => kit.terminal.note(`${sentence}\n`),
    });
    try {
      const failed = fleet.failed.then((reason) => Promise.reject(new CommandFailed(`The fleet failed: ${reason}`, 'The lines above say more.')));
      const stopped = untilStopped(stop).then(() => 0);
      if (flag('demo')) {
        const code = await Promise.race([demonstrate(kit.api.at(fleet.url), kit.terminal, kit.examplesFolder), failed, stopped]);
        if (flag('once')) return code;
      }
      kit.terminal.out(`The API listens at ${fleet.url}. Ctrl-C stops everything.\n`);
      return await Promise.race([failed, stopped]);
    } finally {
      await fleet.stop();
    }
  },
};
