import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

/** The description of the API, from its controllers and the schemas that check their requests. */
export function openapiDocument(app: INestApplication): OpenAPIObject {
  const frame = new DocumentBuilder()
    .setTitle('Argosy')
    .setDescription("Workflows and executions in the shapes of n8n's public API, and Argosy's own starts, steps and events.")
    .setVersion('1')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-N8N-API-KEY' }, 'key')
    .addBearerAuth({ type: 'http', scheme: 'bearer' }, 'bearer')
    .addSecurityRequirements('key')
    .addSecurityRequirements('bearer')
    .build();
  return SwaggerModule.createDocument(app, frame, { operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}.${method}` });
}
