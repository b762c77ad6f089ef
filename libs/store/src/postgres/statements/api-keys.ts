import type { Query } from './row-set.ts';

const COLUMNS = 'id, name, prefix, created_at, revoked_at';

/**
 * A new key; no row when its hash is there already. Every key opens everything: the scope `*`.
 *
 * Locks   the new row.
 * Index   api_keys_hash_key.
 * Bound   one row.
 */
export const insertApiKey = (id: string, { hash, prefix, name }: { readonly hash: string; readonly prefix: string; readonly name: string }): Query => ({
  name: 'insert_api_key',
  text: `insert into api_keys (id, hash, prefix, name, scopes, created_at) values ($1, $2, $3, $4, '{*}', argosy_now()) on conflict (hash) do nothing returning ${COLUMNS}`,
  values: [id, hash, prefix, name],
});

/** Sign-in. Locks none; index api_keys_hash_key; bound: one row. */
export const findApiKey = (hash: string): Query => ({ name: 'find_api_key', text: `select ${COLUMNS} from api_keys where hash = $1`, values: [hash] });

/** By age, which ids sort by. Locks none; index api_keys_pkey; bound: the limit. */
export const listApiKeys = (after: string, limit: number): Query => ({
  name: 'list_api_keys',
  text: `select ${COLUMNS} from api_keys where id > $1 order by id limit $2`,
  values: [after, limit],
});

/** The first time stays. Locks the row; index api_keys_pkey; bound: one row. */
export const revokeApiKey = (id: string): Query => ({
  name: 'revoke_api_key',
  text: `update api_keys set revoked_at = coalesce(revoked_at, argosy_now()) where id = $1 returning ${COLUMNS}`,
  values: [id],
});
