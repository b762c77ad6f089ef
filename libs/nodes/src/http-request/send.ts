import { request } from 'undici';
import { NodeError } from '../node-error.ts';
import { statusFailure, transportFailure } from './http-error.ts';
import type { WireRequest } from './request-plan.ts';

export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly body: Buffer;
  /** The address that answered, after redirects. */
  readonly url: URL;
}

export interface SendRules {
  readonly timeoutMs: number;
  readonly maxRedirects: number;
  /** Statuses outside 200–299 that are answers all the same. */
  readonly acceptsStatus: (status: number) => boolean;
  readonly signal: AbortSignal;
  readonly itemIndex: number;
}

/** Sends a request and follows redirects. Throws an `HttpFailure`, or the reason of the signal when canceled. */
export async function send(first: WireRequest, rules: SendRules): Promise<Answer> {
  const timeout = AbortSignal.timeout(rules.timeoutMs);
  const signal = AbortSignal.any([rules.signal, timeout]);
  let wire = first;
  for (let hops = 0; ; hops++) {
    const answer = await exchange(wire, signal, rules);
    const next = hops < rules.maxRedirects ? redirected(wire, answer) : null;
    if (next) {
      wire = next;
      continue;
    }
    if ((answer.status < 200 || answer.status >= 300) && !rules.acceptsStatus(answer.status)) {
      throw statusFailure(answer.status, answer.body.toString('utf8'), rules.itemIndex);
    }
    return answer;
  }
}

async function exchange(wire: WireRequest, signal: AbortSignal, rules: SendRules): Promise<Answer> {
  try {
    const { statusCode, statusText, headers, body } = await request(wire.url, {
      method: wire.method,
      headers: wire.headers,
      body: wire.body,
      signal,
      // The signal is the only clock; undici's own defaults would cut long answers short.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return { status: statusCode, statusText, headers, body: await whole(body, wire.url, rules.itemIndex), url: wire.url };
  } catch (error) {
    rules.signal.throwIfAborted();
    if (error instanceof NodeError) throw error;
    throw transportFailure(error, wire.url, rules.itemIndex);
  }
}

/** An answer is held in memory, and a few at a time fit into a worker. */
const mostBytes = 64 * 1_048_576;

async function whole(body: AsyncIterable<Uint8Array>, url: URL, itemIndex: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > mostBytes) throw new NodeError(`The answer of ${url.host} is larger than ${mostBytes / 1_048_576} MiB.`, { itemIndex, code: 'answer_too_large', retryable: false, description: 'Ask for less at once, for instance page by page.' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

/** The request a redirect asks for, null for any other answer. Secrets stay with the origin they were meant for. */
function redirected(wire: WireRequest, answer: Answer): WireRequest | null {
  const location = answer.headers['location'];
  if (![301, 302, 303, 307, 308].includes(answer.status) || typeof location !== 'string') return null;
  const url = URL.parse(location, wire.url.href);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  const headers = { ...wire.headers };
  if (url.origin !== wire.url.origin) {
    delete headers['authorization'];
    delete headers['cookie'];
  }
  const keepsMethod = answer.status >= 307 || wire.method === 'GET' || wire.method === 'HEAD';
  if (keepsMethod) return { ...wire, url, headers };
  delete headers['content-type'];
  return { method: 'GET', url, headers, body: null };
}
