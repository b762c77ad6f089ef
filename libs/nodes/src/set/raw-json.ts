import type { Json, JsonObject } from '@app/engine';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import { lenientJson, textOf } from '../values/convert.ts';
import { isExpression, isRecord } from '../values/guards.ts';

const template = /\{\{[\s\S]*?\}\}/g;

/**
 * The object that the raw mode puts out for one item. Values of `{{ }}` inside JSON text are inserted as JSON where
 * they are objects or lists, else as they read, so that quotes around them are the author's.
 */
export async function rawJson(context: NodeContext, itemIndex: number): Promise<JsonObject> {
  const raw = context.rawParameter<Json>('jsonOutput', '{}');
  const given = isExpression(raw) ? await filledTemplate(context, raw.replace(/^=+/, ''), itemIndex) : raw;
  const value = typeof given === 'string' ? lenientJson(given) : given;
  if (isRecord(value)) return { ...value };
  throw new NodeError(`The 'JSON Output' in item ${itemIndex} does not contain a valid JSON object`, {
    itemIndex,
    retryable: false,
    description: `Make it evaluate to one object such as {"name": "value"}; it was: ${textOf(given).slice(0, 200)}`,
  });
}

async function filledTemplate(context: NodeContext, text: string, itemIndex: number): Promise<Json> {
  const parts = [...text.matchAll(template)];
  if (parts.length === 1 && text.trim() === parts[0]![0]) return context.evaluate(`=${text.trim()}`, itemIndex);
  let filled = '';
  let end = 0;
  for (const part of parts) {
    filled += text.slice(end, part.index) + textOf(await context.evaluate(`=${part[0]}`, itemIndex));
    end = part.index + part[0].length;
  }
  return filled + text.slice(end);
}
