import { NestFactory } from '@nestjs/core';
import type { LoggerService } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiModule, type ApiFoundations } from './api.module.ts';
import type { ApiKeys } from './access/api-keys.ts';
import { authenticate } from './access/authenticate.ts';
import { openRoutes } from './health/health.controller.ts';
import type { FastifyServer, Reply } from './http-types.ts';
import { parseJson } from './limits/parse-json.ts';
import type { RequestLimits } from './limits/request-limits.ts';
import { openapiDocument } from './openapi/openapi-document.ts';
import { ApiProblem, problemContentType } from './problems/api-problem.ts';
import { problemOf } from './problems/problem-of.ts';

export interface ApiOptions extends ApiFoundations {
  readonly keys: ApiKeys;
  readonly logger: LoggerService | false;
}

/** The API as an application that is ready to listen, or to be asked in a test. */
export async function createApi({ keys, logger, ...foundations }: ApiOptions): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({ bodyLimit: foundations.limits.bodyBytes, routerOptions: { maxParamLength: 255 }, frameworkErrors: answerUnroutable as never });
  const app = await NestFactory.create<NestFastifyApplication>(ApiModule.on(foundations), adapter, { logger, bodyParser: false });
  const server = app.getHttpAdapter().getInstance();
  acceptJsonOnly(server, foundations.limits);
  askForKeys(server, keys);
  const document = JSON.stringify(openapiDocument(app));
  server.get('/api/v1/openapi.json', (_, reply) => reply.header('content-type', 'application/json; charset=utf-8').send(document));
  await app.init();
  await server.ready();
  return app;
}

/** Requests that reach no route, such as one with a broken escape in its path, never come to the filter of problems. */
function answerUnroutable(error: Error, _: unknown, reply: Reply): void {
  const problem = problemOf(error) ?? new ApiProblem({ status: 400, code: 'bad_request', message: 'The request cannot be read.' });
  void reply.status(problem.status).header('content-type', problemContentType).send(JSON.stringify(problem.toBody()));
}

function acceptJsonOnly(server: FastifyServer, limits: RequestLimits): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<string>(/^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i, { parseAs: 'string' }, (_, body, done) => {
    try {
      done(null, parseJson(body, limits.depth));
    } catch (error) {
      done(error as ApiProblem);
    }
  });
}

/**
 * Decided by the route that was matched, not by the text of the address, and for every route that is not named as
 * open: the router decodes addresses before it matches them.
 */
function askForKeys(server: FastifyServer, keys: ApiKeys): void {
  server.addHook('onRequest', async (request) => {
    const refusal = openRoutes.has(request.routeOptions.url ?? '') ? undefined : await authenticate(request.headers, keys);
    if (refusal) throw refusal;
  });
}
