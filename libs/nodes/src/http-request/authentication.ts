import type { JsonObject } from '@app/engine';
import type { NodeContext } from '../node-context.ts';
import { NodeError } from '../node-error.ts';
import { isRecord } from '../values/guards.ts';
import { lenientJson } from '../values/convert.ts';
import type { RequestPlan } from './request-plan.ts';

/** Adds what the chosen credential demands. Secrets go into the plan and nowhere else. */
export async function authenticated(context: NodeContext, plan: RequestPlan, itemIndex: number): Promise<RequestPlan> {
  const authentication = context.parameter<string>('authentication', itemIndex, 'none');
  if (authentication === 'none') return plan;
  if (authentication !== 'genericCredentialType') throw unsupported(authentication, itemIndex);
  const type = context.parameter<string>('genericAuthType', itemIndex, '');
  const secret = await context.credentials(type);
  switch (type) {
    case 'httpBasicAuth':
      return withHeader(plan, 'authorization', `Basic ${base64(`${text(secret, 'user')}:${text(secret, 'password')}`)}`);
    case 'httpBearerAuth':
      return withHeader(plan, 'authorization', `Bearer ${text(secret, 'token')}`);
    case 'httpHeaderAuth':
      return withHeader(plan, text(secret, 'name').toLowerCase(), text(secret, 'value'));
    case 'httpQueryAuth':
      return { ...plan, query: { ...plan.query, [text(secret, 'name')]: text(secret, 'value') } };
    case 'httpCustomAuth':
      return customized(plan, secret);
    default:
      throw unsupported(type, itemIndex);
  }
}

const text = (secret: JsonObject, key: string): string => String(secret[key] ?? '');
const base64 = (value: string): string => Buffer.from(value).toString('base64');

const withHeader = (plan: RequestPlan, name: string, value: string): RequestPlan => ({
  ...plan,
  headers: { ...plan.headers, [name]: value },
});

/** `{headers, qs, body}` as JSON text. */
function customized(plan: RequestPlan, secret: JsonObject): RequestPlan {
  const given = typeof secret['json'] === 'string' ? lenientJson(secret['json']) : secret['json'];
  const { headers, qs, body } = isRecord(given) ? given : {};
  const extra = Object.entries(isRecord(headers) ? headers : {}).map(([name, value]) => [name.toLowerCase(), String(value)]);
  const merged =
    isRecord(body) && plan.body.kind === 'json' && isRecord(plan.body.value)
      ? ({ kind: 'json', value: { ...plan.body.value, ...body } } as const)
      : plan.body;
  return {
    ...plan,
    headers: { ...plan.headers, ...Object.fromEntries(extra) },
    query: { ...plan.query, ...(isRecord(qs) ? qs : {}) },
    body: merged,
  };
}

const unsupported = (what: string, itemIndex: number): NodeError =>
  new NodeError(`Authentication "${what}" is not supported.`, {
    itemIndex,
    code: 'unsupported_parameter',
    retryable: false,
    description: 'Use a generic credential: basic, bearer, header, query or custom.',
  });
