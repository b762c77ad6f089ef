import { z } from 'zod';
import type { Item } from '@app/engine';
import { text } from '../http-schemas.ts';

/** Checked in a plain loop, without copying: starts may carry thousands of items, and this is the way every one of them comes in. */
const items = z
  .custom<readonly Item[]>((value) => Array.isArray(value) && value.every(isItem), { error: 'must be a list of items, each {"json": {…}}' })
  .meta({
    description: 'What the start node gets. Absent: one empty item.',
    wire: { type: 'array', items: { type: 'object', required: ['json'], properties: { json: { type: 'object' }, binary: { type: 'object' }, pairedItem: {} } } },
  });

export const startInput = z.strictObject({
  mode: z.enum(['manual', 'trigger', 'webhook', 'error']).default('manual').describe('manual runs the newest version; the others run the published one.'),
  node: z.string().min(1).optional().describe('Where to start, by name. Absent: the trigger that fits the mode.'),
  items: items.optional(),
  destination: z.string().min(1).optional().describe('Run only up to this node.'),
  idempotencyKey: text(255).optional().describe('The same key for the same workflow starts one execution, however often it is sent. Also as header Idempotency-Key.'),
  scheduling: z.enum(['auto', 'serial', 'parallel']).optional().describe('Overrides how the workflow schedules its branches.'),
});
export type StartInput = z.output<typeof startInput>;

function isItem(value: unknown): boolean {
  return isObject(value) && isObject(value['json']) && (value['binary'] === undefined || isObject(value['binary']));
}

const isObject = (value: unknown): value is { [key: string]: unknown } => typeof value === 'object' && value !== null && !Array.isArray(value);
