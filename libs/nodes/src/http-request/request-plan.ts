import type { Json, JsonObject } from '@app/engine';

export interface UploadedFile {
  readonly content: Buffer;
  readonly mimeType: string;
  readonly fileName: string;
}

export type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: Json }
  | { readonly kind: 'form'; readonly fields: JsonObject }
  | { readonly kind: 'multipart'; readonly fields: readonly (readonly [string, string | UploadedFile])[] }
  | { readonly kind: 'raw'; readonly content: string | Buffer; readonly mediaType: string };

export type QueryArrays = 'repeat' | 'brackets' | 'indices';

/** What is to be sent, still in parts, so that the next page can change one of them. */
export interface RequestPlan {
  readonly method: string;
  readonly url: string;
  readonly query: JsonObject;
  readonly queryArrays: QueryArrays;
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string };
  readonly body: Body;
}

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | Buffer | null;
}
