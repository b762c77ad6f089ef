import type { NestFastifyApplication } from '@nestjs/platform-fastify';

export type FastifyServer = ReturnType<ReturnType<NestFastifyApplication['getHttpAdapter']>['getInstance']>;

/** What we use of Fastify's reply. */
export interface Reply {
  status(code: number): Reply;
  header(name: string, value: string): Reply;
  send(body: unknown): Reply;
}
