import { setTimeout as sleep } from 'node:timers/promises';
import type { Item } from '@app/engine';
import { errorItem } from '../each-item.ts';
import { emit } from '../emit.ts';
import type { NodeContext } from '../node-context.ts';
import type { NodeType } from '../node-type.ts';
import { answerItems, contentOf, type AnswerRules } from './answer-items.ts';
import { authenticated } from './authentication.ts';
import { encodeRequest } from './encode-request.ts';
import { httpRequestDescription } from './http-request-description.ts';
import { failureItem, HttpFailure } from './http-error.ts';
import { allPages } from './pagination.ts';
import { plannedRequest } from './planned-request.ts';
import type { RequestPlan } from './request-plan.ts';
import { send, type SendRules } from './send.ts';

// n8n sends the requests of all items at once; beyond this many a worker would starve its other activations.
const mostInFlight = 50;
const defaultTimeoutMs = 300_000;

/** One request per item, side by side; the results come in the order of the items. */
export const httpRequest: NodeType = {
  description: httpRequestDescription,
  run: async (context) => emit(await requestAll(context, { plan: plannedRequest, answer: answerRules, send: sendRules })),
};

/** How one generation of the node reads its parameters. */
export interface Reading {
  plan(context: NodeContext, item: Item, index: number): RequestPlan;
  answer(context: NodeContext, index: number): AnswerRules;
  send(context: NodeContext, index: number): SendRules;
}

export async function requestAll(context: NodeContext, reading: Reading): Promise<Item[]> {
  const items = context.items();
  const size = Number(context.parameter('options.batching.batch.batchSize', 0, mostInFlight));
  const batchSize = size > 0 ? Math.min(size, mostInFlight) : mostInFlight;
  const pauseMs = Number(context.parameter('options.batching.batch.batchInterval', 0, 0));
  const output: Item[][] = [];
  for (let from = 0; from < items.length; from += batchSize) {
    context.signal.throwIfAborted();
    if (from > 0 && pauseMs > 0) await sleep(pauseMs, undefined, { signal: context.signal });
    output.push(...(await requestBatch(context, reading, items, from, Math.min(from + batchSize, items.length))));
  }
  return output.flat();
}

/** All requests of a batch end before the first failure is reported, so that none runs on behind a finished run. */
async function requestBatch(context: NodeContext, reading: Reading, items: readonly Item[], from: number, to: number): Promise<Item[][]> {
  const settled = await Promise.allSettled(items.slice(from, to).map((item, offset) => requestFor(context, reading, item, from + offset)));
  return settled.map((result, offset) => {
    if (result.status === 'fulfilled') return result.value;
    context.signal.throwIfAborted();
    if (!context.continueOnFail) throw result.reason;
    const index = from + offset;
    return [result.reason instanceof HttpFailure ? failureItem(result.reason, index) : errorItem(result.reason, index)];
  });
}

async function requestFor(context: NodeContext, reading: Reading, item: Item, index: number): Promise<Item[]> {
  const rules = reading.answer(context, index);
  const sending = reading.send(context, index);
  const plan = await authenticated(context, reading.plan(context, item, index), index);
  const pages = await allPages(context, plan, index, async (page, isLastStatus) => {
    const acceptsStatus = (status: number): boolean => isLastStatus(status) || sending.acceptsStatus(status);
    const answer = await send(encodeRequest(page, index), { ...sending, acceptsStatus });
    return { answer, content: contentOf(answer, rules.format, index) };
  });
  return pages.flatMap(({ answer, content }) => answerItems(answer, content, rules, item, index));
}

function answerRules(context: NodeContext, index: number): AnswerRules {
  const path = 'options.response.response';
  return {
    format: context.parameter<AnswerRules['format']>(`${path}.responseFormat`, index, 'autodetect'),
    full: context.parameter(`${path}.fullResponse`, index, false) === true,
    propertyName: context.parameter<string>(`${path}.outputPropertyName`, index, 'data'),
  };
}

function sendRules(context: NodeContext, index: number): SendRules {
  const follows = context.parameter('options.redirect.redirect.followRedirects', index, context.node.version >= 4);
  const isNeverError = context.parameter('options.response.response.neverError', index, false) === true;
  return {
    timeoutMs: timeoutMs(context, index),
    maxRedirects: follows === false ? 0 : Number(context.parameter('options.redirect.redirect.maxRedirects', index, 21)),
    acceptsStatus: () => isNeverError,
    signal: context.signal,
    itemIndex: index,
  };
}

/** The author's time-out, cut to what is left of the activation. */
export function timeoutMs(context: NodeContext, index: number): number {
  const chosen = Number(context.parameter('options.timeout', index, defaultTimeoutMs));
  return Math.max(1, Math.min(chosen, context.deadline - context.now()));
}
