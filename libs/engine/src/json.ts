/** Values that survive a trip through JSON. What a node may put into an item. */
export type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** A moment, in milliseconds since the epoch, always by the store's clock. */
export type Instant = number;
