import type { DisplayOptions, Json, PropertyDescription } from '@app/engine';

export type PropertyOptions = Pick<PropertyDescription, 'required' | 'displayOptions' | 'typeOptions'>;

/** Short constructors, so that a description reads as a list of what a node can be told. */
export const text = (name: string, value = '', options: PropertyOptions = {}): PropertyDescription => ({
  name,
  type: 'string',
  default: value,
  ...options,
});

export const number = (name: string, value: number, options: PropertyOptions = {}): PropertyDescription => ({
  name,
  type: 'number',
  default: value,
  ...options,
});

export const flag = (name: string, value: boolean, options: PropertyOptions = {}): PropertyDescription => ({
  name,
  type: 'boolean',
  default: value,
  ...options,
});

export const choice = (
  name: string,
  value: string | number,
  values: readonly (string | number)[],
  options: PropertyOptions = {},
): PropertyDescription => ({
  name,
  type: 'options',
  default: value,
  options: values.map((each) => ({ name: String(each), value: each })),
  ...options,
});

/** A value of any shape: JSON text, a condition block, a resource locator. */
export const anything = (
  name: string,
  type: 'json' | 'dateTime' | 'filter' | 'assignmentCollection' | 'resourceLocator' | 'resourceMapper' | 'multiOptions',
  value: Json,
  options: PropertyOptions = {},
): PropertyDescription => ({ name, type, default: value, ...options });

/** Optional settings: only those that were given are there. */
export const settings = (
  members: readonly PropertyDescription[],
  options: PropertyOptions & { readonly name?: string } = {},
): PropertyDescription => {
  const { name = 'options', ...rest } = options;
  return { name, type: 'collection', default: {}, options: members, ...rest };
};

/** `{group: [{…}, …]}`; members of each entry have their defaults. */
export const entries = (
  name: string,
  group: string,
  members: readonly PropertyDescription[],
  options: PropertyOptions = {},
): PropertyDescription => ({
  name,
  type: 'fixedCollection',
  default: {},
  options: [{ name: group, values: members }],
  ...options,
  typeOptions: { ...options.typeOptions, multipleValues: true },
});

/** `{group: {…}}`: several groups with one entry each. */
export const groups = (
  name: string,
  members: { readonly [group: string]: readonly PropertyDescription[] },
  options: PropertyOptions = {},
): PropertyDescription => ({
  name,
  type: 'fixedCollection',
  default: {},
  options: Object.entries(members).map(([group, values]) => ({ name: group, values })),
  ...options,
});

/** Shown only when all of these hold, `{'@version': [2], mode: ['raw']}`. */
export const when = (show: DisplayOptions['show']): PropertyOptions => ({ displayOptions: { show } });

export const atLeast = (version: number): { readonly [key: string]: Json } => ({ _cnd: { gte: version } });
export const atMost = (version: number): { readonly [key: string]: Json } => ({ _cnd: { lte: version } });
export const not = (value: Json): { readonly [key: string]: Json } => ({ _cnd: { not: value } });
