import type { Item } from '@app/engine';
import type { NodeResult, OutputPayload } from './node-result.ts';

/** The result of a node that puts out items; one argument per output. */
export const emit = (...outputs: (OutputPayload | null)[]): NodeResult => ({ kind: 'items', outputs });

/** Nothing at all: the run leaves no record and has no successors. */
export const emitNothing: NodeResult = { kind: 'items', outputs: null };

/** One list of items per output, filled while walking the input. */
export const emptyOutputs = (count: number): Item[][] => Array.from({ length: count }, () => []);
