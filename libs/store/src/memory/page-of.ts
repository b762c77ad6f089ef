import type { Page } from '../records.ts';

/** The rows behind a cursor, which is the id of the last row seen. */
export function pageOf<T extends { readonly id: string }>(rows: readonly T[], limit: number, cursor: string | undefined): Page<T> {
  const from = cursor === undefined ? 0 : rows.findIndex((row) => row.id === cursor) + 1;
  const page = rows.slice(from, from + limit);
  return { rows: page, nextCursor: from + limit < rows.length ? (page.at(-1)?.id ?? null) : null };
}
