import 'reflect-metadata';
import { Test } from '@nestjs/testing';
import { getQueueToken } from '@nestjs/bullmq';
import { setDefaultBackendFactory, type Queue } from 'bullmq';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshBullmqDatabase } from '../testing/bullmq-setup.ts';
import { Dispatch, DispatchModule, type ActivationRef } from './index.ts';

describe('DispatchModule', () => {
  let database: { url: string; drop(): Promise<void> };
  beforeAll(async () => void (database = await freshBullmqDatabase(process.env['DATABASE_URL']!)));
  afterAll(async () => {
    setDefaultBackendFactory();
    await database.drop();
  });

  it.each([
    ['redis', () => process.env['REDIS_URL']],
    ['postgres', () => undefined],
  ])('sends through the queue that Nest made, on %s, and closes it', async (_, redisUrl) => {
    const queue = `module-${process.pid}-${performance.now()}`.replace('.', '-');
    setDefaultBackendFactory();
    const module = await Test.createTestingModule({
      imports: [DispatchModule.forRoot({ databaseUrl: database.url, redisUrl: redisUrl(), queues: [queue] })],
    }).compile();
    const app = await module.init();
    const dispatch = app.get(Dispatch);
    const made = app.get<Queue>(getQueueToken(queue));
    await dispatch.send([{ id: '1_0_1_0', announcement: 1, queue, priority: 0 }]);
    expect(await made.getJobCountByTypes('wait')).toBe(1);
    const heard = new Promise<readonly ActivationRef[]>((resolve) => {
      dispatch.receive(async (refs) => resolve(refs), { queues: [queue], free: () => 1 });
    });
    expect((await heard).map(({ id }) => id)).toEqual(['1_0_1_0']);
    await app.close();
    expect(made.closing).toBeDefined();
  });
});
