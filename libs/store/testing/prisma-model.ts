/** A table as the catalogue and Prisma's schema both tell it. */
export interface Table {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string; readonly nullable: boolean; readonly default: string | null }[];
  readonly indexes: readonly { readonly kind: 'primary' | 'unique' | 'index'; readonly name: string | null; readonly columns: readonly string[]; readonly predicate: string | null }[];
}

const TYPES: { readonly [prisma: string]: string } = { BigInt: 'bigint', Int: 'integer', 'Int @db.SmallInt': 'smallint', String: 'text', 'String[]': 'text[]', Boolean: 'boolean', 'Unsupported("\\"char\\"")': '"char"' };

/** Reads the part of Prisma's schema language that our schema uses; throws at anything else. */
export function readModel(schema: string): Table[] {
  return [...schema.matchAll(/^model \w+ \{\n([\s\S]*?)^\}/gm)].map(([, body]) => readTable(body!.split('\n').map((line) => line.trim()).filter(Boolean))).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readTable(lines: readonly string[]): Table {
  const fields = lines.filter((line) => !line.startsWith('@@')).map(readField);
  const column = (field: string): string => fields.find((candidate) => candidate.field === field)!.column.name;
  const named = lines.find((line) => line.startsWith('@@map'))!;
  const blocks = lines.filter((line) => /^@@(id|index)/.test(line)).map((line) => {
    const [, kind, list, name, predicate] = /^@@(id|index)\(\[([\w, ]+)\](?:, map: "(\w+)")?\)(?: \/\/ where (.+))?$/.exec(line)!;
    return { kind: kind === 'id' ? 'primary' : 'index', name: name ?? null, columns: list!.split(', ').map(column), predicate: predicate ?? null } as const;
  });
  const single = fields.flatMap(({ column: { name }, key }) => (key ? [{ kind: key, name: null, columns: [name], predicate: null } as const] : []));
  return { name: /"(\w+)"/.exec(named)![1]!, columns: fields.map((field) => field.column), indexes: [...single, ...blocks].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) };
}

function readField(line: string): { field: string; key: 'primary' | 'unique' | null; column: Table['columns'][number] } {
  const [, field, type, optional, attributes] = /^(\w+) (Unsupported\("\\"char\\""\)|\w+(?:\[\])?)(\?)?(.*)$/.exec(line)!;
  const mapped = /@map\("(\w+)"\)/.exec(attributes!)?.[1] ?? field!;
  const value = /@default\(([^)]*\)?)\)/.exec(attributes!)?.[1];
  const key = attributes!.includes('@id') ? 'primary' : attributes!.includes('@unique') ? 'unique' : null;
  const known = TYPES[attributes!.includes('@db.SmallInt') ? `${type!} @db.SmallInt` : type!];
  if (!known) throw new Error(`The schema has a type this reader does not know: ${line}`);
  return { field: field!, key, column: { name: mapped, type: known, nullable: optional === '?', default: value === undefined ? null : value === 'autoincrement()' ? 'identity' : value.replaceAll('"', '') } };
}
