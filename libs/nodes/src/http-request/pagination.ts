import { setTimeout as sleep } from 'node:timers/promises';
import type { Json, JsonObject } from '@app/engine';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import { textOf } from '../values/convert.ts';
import { commaList, isExpression, isList, isRecord } from '../values/guards.ts';
import type { Content } from './answer-items.ts';
import type { RequestPlan } from './request-plan.ts';
import type { Answer } from './send.ts';

export interface Page {
  readonly answer: Answer;
  readonly content: Content;
}

type Fetch = (plan: RequestPlan, isLastStatus: (status: number) => boolean) => Promise<Page>;

// The end of a listing that never ends; n8n has no such bound, a worker needs one.
const mostPages = 10_000;

/** Fetches one page after the other until the author's condition says that it was the last. */
export async function allPages(context: NodeContext, first: RequestPlan, index: number, fetch: Fetch): Promise<Page[]> {
  const raw = context.rawParameter<Json>('options.pagination.pagination', {});
  const settings = isRecord(raw) ? raw : {};
  const mode = String(settings['paginationMode'] ?? 'updateAParameterInEachRequest');
  if (Object.keys(settings).length === 0 || mode === 'off') return [await fetch(first, () => false)];

  const read = (value: Json, variables: JsonObject): Promise<Json> | Json =>
    isExpression(value) ? context.evaluate(value, index, variables) : value;
  const complete = String(settings['paginationCompleteWhen'] ?? 'responseIsEmpty');
  const lastStatuses = commaList(settings['statusCodesWhenComplete']).map(Number);
  const isLastStatus = (status: number): boolean => complete === 'receiveSpecificStatusCodes' && lastStatuses.includes(status);
  const limit = settings['limitPagesFetched'] === true ? Number(await read(settings['maxRequests'] ?? 100, {})) : mostPages;

  const pages: Page[] = [];
  let variables: JsonObject = { $pageCount: 0, $request: {}, $response: { body: {}, headers: {}, statusCode: 0 } };
  let plan = mode === 'responseContainsNextURL' ? first : await withParameters(first, settings, (value) => read(value, variables));
  for (;;) {
    const page = await fetch(plan, isLastStatus);
    const isEmpty = complete === 'responseIsEmpty' && isEmptyContent(page.content);
    if (!isEmpty || pages.length === 0) pages.push(page);
    variables = variablesAfter(page, pages.length, plan);
    const isOver = complete === 'other' && (await read(settings['completeExpression'], variables)) === true;
    if (isEmpty || isOver || isLastStatus(page.answer.status) || pages.length >= limit) return pages;
    if (pages.length >= mostPages) throw tooManyPages(index);
    plan =
      mode === 'responseContainsNextURL'
        ? { ...first, url: nextUrl(await read(settings['nextURL'], variables), plan, index), query: {} }
        : await withParameters(first, settings, (value) => read(value, variables));
    const interval = Number(settings['requestInterval'] ?? 0);
    if (interval > 0) await sleep(interval, undefined, { signal: context.signal });
  }
}

function variablesAfter({ answer, content }: Page, pageCount: number, plan: RequestPlan): JsonObject {
  const body = content.kind === 'json' ? content.value : content.kind === 'text' ? content.text : null;
  return {
    $pageCount: pageCount,
    $request: { url: plan.url, qs: plan.query, headers: plan.headers, body: plan.body.kind === 'json' ? plan.body.value : null },
    $response: { body, headers: answer.headers as JsonObject, statusCode: answer.status, statusMessage: answer.statusText },
  };
}

function nextUrl(value: Json, before: RequestPlan, itemIndex: number): string {
  if (typeof value !== 'string' || value === '') {
    throw new NodeError('The next URL of the pagination is empty. Let the completion condition end it before that.', {
      itemIndex,
      retryable: false,
    });
  }
  return URL.parse(value, before.url)?.href ?? value;
}

async function withParameters(plan: RequestPlan, settings: JsonObject, read: (value: Json) => Promise<Json> | Json): Promise<RequestPlan> {
  const container = isRecord(settings['parameters']) ? settings['parameters']['parameters'] : undefined;
  let next = plan;
  for (const parameter of isList(container) ? container.filter(isRecord) : []) {
    const name = textOf(await read(parameter['name']));
    next = withParameter(next, String(parameter['type'] ?? 'qs'), name, await read(parameter['value']));
  }
  return next;
}

function withParameter(plan: RequestPlan, type: string, name: string, value: Json): RequestPlan {
  if (type === 'headers') return { ...plan, headers: { ...plan.headers, [name.toLowerCase()]: textOf(value) } };
  if (type === 'qs') return { ...plan, query: { ...plan.query, [name]: value } };
  const { body } = plan;
  if (body.kind === 'form') return { ...plan, body: { ...body, fields: { ...body.fields, [name]: value } } };
  const before = body.kind === 'json' && isRecord(body.value) ? body.value : {};
  return { ...plan, body: { kind: 'json', value: { ...before, [name]: value } } };
}

function isEmptyContent(content: Content): boolean {
  if (content.kind === 'text') return content.text === '';
  if (content.kind === 'file') return content.file.bytes === 0;
  return isList(content.value) ? content.value.length === 0 : isRecord(content.value) ? Object.keys(content.value).length === 0 : !content.value;
}

const tooManyPages = (itemIndex: number): NodeError =>
  new NodeError(`The pagination did not end within ${mostPages} pages. Check its completion condition.`, { itemIndex, retryable: false });
