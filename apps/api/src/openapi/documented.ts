import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiQuery, ApiResponse, type OpenAPIObject } from '@nestjs/swagger';
import { z } from 'zod';
import { problemContentType } from '../problems/api-problem.ts';
import { problemAnswer } from './answers.ts';

export interface Documentation {
  readonly summary: string;
  readonly description?: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Shape of the successful answer. */
  readonly answer: z.ZodType;
  readonly status?: number;
  readonly contentType?: string;
  /** What can go wrong here in particular, by status. */
  readonly problems?: { readonly [status: number]: string };
}

type Schema = Exclude<NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string], { $ref: string }>;

/** Documents a route from the very schemas that check its requests. */
export function Documented({ summary, description, query, body, answer, status = 200, contentType = 'application/json', problems = {} }: Documentation): MethodDecorator {
  return applyDecorators(
    ApiOperation({ summary, description }),
    ...(query ? queryOf(query) : []),
    ...(body ? [ApiBody({ schema: schemaOf(body, 'input'), required: !body.safeParse({}).success })] : []),
    ApiResponse({ status, description: 'Success', content: { [contentType]: { schema: schemaOf(answer, 'output') } } }),
    ...Object.entries(problems).map(([code, text]) =>
      ApiResponse({ status: Number(code), description: text, content: { [problemContentType]: { schema: schemaOf(problemAnswer, 'output') } } }),
    ),
  );
}

function queryOf(query: z.ZodObject): MethodDecorator[] {
  const { properties = {}, required = [] } = schemaOf(query, 'input') as { properties?: Record<string, Schema & { description?: string }>; required?: string[] };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ApiQuery({ name, description, required: required.includes(name), schema }));
}

function schemaOf(type: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { target: 'openapi-3.0', io, unrepresentable: 'any', override: simplified });
  return schema as Schema;
}

/** Where the wire format says less than the check behind it: flags and numbers of a query are text that reads as such. */
function simplified({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const stated = z.globalRegistry.get(zodSchema)?.['wire'];
  if (!stated) return;
  Object.assign(jsonSchema, stated);
  delete jsonSchema['wire'];
}
