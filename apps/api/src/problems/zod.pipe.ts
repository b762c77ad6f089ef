import type { PipeTransform } from '@nestjs/common';
import type { Problem } from '@app/engine';
import type { z } from 'zod';
import { refused } from './api-problem.ts';

/** Checks a body or a query; everything wrong with it is told at once, with paths. An absent body counts as `{}`. */
export class ZodPipe<Schema extends z.ZodType> implements PipeTransform<unknown, z.output<Schema>> {
  constructor(readonly schema: Schema) {}

  transform(value: unknown): z.output<Schema> {
    const checked = this.schema.safeParse(value ?? {});
    if (checked.success) return checked.data;
    throw refused('The request is not valid', checked.error.issues.map(problemOfIssue));
  }
}

function problemOfIssue(issue: z.core.$ZodIssue): Problem {
  const path = issue.path.reduce<string>((text, key) => text + (typeof key === 'number' ? `[${key}]` : `.${String(key)}`), '$');
  return { severity: 'error', code: 'invalid_value', path, message: `${path}: ${issue.message}.`, suggestion: 'GET /api/v1/openapi.json describes what is expected here.' };
}
