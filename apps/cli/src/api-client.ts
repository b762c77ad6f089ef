import { CommandFailed } from './failures.ts';

export interface ApiAddress {
  readonly url: string;
  readonly key: string | undefined;
}

/** JSON as the API sends it; commands read the few fields they show. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- its shape is the API's business, described in apps/api/openapi.json
export type Received = any;

/** Talks to the API. Every failure is told in the API's own words, with what to do. */
export class ApiClient {
  readonly #address: ApiAddress;
  readonly #fetch: typeof fetch;

  constructor(address: ApiAddress, fetchFrom: typeof fetch = fetch) {
    this.#address = address;
    this.#fetch = fetchFrom;
  }

  get url(): string {
    return this.#address.url;
  }

  /** The same client for an API elsewhere. */
  at(url: string): ApiClient {
    return new ApiClient({ ...this.#address, url }, this.#fetch);
  }

  async isReachable(): Promise<boolean> {
    return this.#fetch(`${this.url}/healthz`, { signal: AbortSignal.timeout(2_000) }).then(
      (answer) => answer.ok,
      () => false,
    );
  }

  /** Also an API that is not ready says what ails it. */
  async readiness(): Promise<Received> {
    return await (await this.#fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(10_000) })).json();
  }

  async get(path: string): Promise<Received> {
    return await this.#json(path, { method: 'GET' });
  }

  async send(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<Received> {
    return await this.#json(path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }) });
  }

  /** All rows of a list up to `most`, over as many pages as that takes. */
  async list(path: string, query: Record<string, string | undefined>, most: number): Promise<Received[]> {
    const rows: Received[] = [];
    for (let cursor: string | null = null; ;) {
      const page = await this.get(`${path}?${queryOf({ ...query, limit: String(Math.min(250, most - rows.length)), ...(cursor === null ? {} : { cursor }) })}`);
      rows.push(...page.data);
      cursor = page.nextCursor;
      if (cursor === null || rows.length >= most) return rows;
    }
  }

  /** An answer whose body is read piece by piece. */
  async open(path: string, headers: Record<string, string>, signal?: AbortSignal): Promise<Response> {
    return await this.#ask(path, { method: 'GET', headers, signal });
  }

  async #json(path: string, request: RequestInit): Promise<Received> {
    return await (await this.#ask(path, { ...request, signal: AbortSignal.timeout(60_000) })).json();
  }

  async #ask(path: string, request: RequestInit): Promise<Response> {
    const { url, key } = this.#address;
    const headers = { accept: 'application/json', ...(request.headers as Record<string, string> | undefined), ...(key === undefined ? {} : { 'x-n8n-api-key': key }) };
    const answer = await this.#fetch(`${url}/api/v1/${path}`, { ...request, headers }).catch((error: unknown) => {
      throw isTimeout(error)
        ? new CommandFailed(`The API at ${url} did not answer in time.`, 'Is it overloaded? "argosy doctor" looks closer.')
        : new CommandFailed(`The API at ${url} cannot be reached: ${reasonOf(error)}.`, 'Start it with "argosy up", or set ARGOSY_URL to where it is.');
    });
    if (!answer.ok) throw await refusalOf(answer);
    return answer;
  }
}

export const queryOf = (query: Record<string, string | undefined>): string =>
  new URLSearchParams(Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)).toString();

async function refusalOf(answer: Response): Promise<CommandFailed> {
  const problem = (await answer.json().catch(() => ({}))) as { message?: string; suggestion?: string; problems?: { severity: string; path: string; message: string }[] };
  const all = problem.problems?.filter(({ severity }) => severity === 'error').map(({ path, message }) => `\n  ${path}  ${message}`) ?? [];
  const suggestion = answer.status === 401 ? 'Set ARGOSY_API_KEY to a key of this API; "argosy api-key create" makes one.' : (problem.suggestion ?? 'argosy doctor looks closer.');
  return new CommandFailed(`${problem.message ?? `The API answered ${answer.status}.`}${all.length > 1 ? all.join('') : ''}`, suggestion);
}

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
