import type { Scenario } from '../scenario.ts';
import { killAt } from './kill-at.ts';

/** The effect has happened and nobody knows: it must come again under the same key. */
export const killBeforeCommit: Scenario = {
  number: 3,
  title: 'kill -9 between the end of a node and its commit',
  run: (context) =>
    killAt(context, {
      place: 'worker:before-commit/Charge',
      passings: [1, 2],
      losesWork: true,
      also: async (stage) => {
        const repeated = [...stage.sink.counts()].filter(([key, count]) => count > 1 && key.includes('/Charge/'));
        stage.verdict.struck('effects repeated under their key', repeated.length, stage.crew.deaths.length);
      },
    }),
};
