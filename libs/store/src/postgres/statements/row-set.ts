/** One statement with its parameters; `name` is that of the prepared statement, so the text must never vary with the values. */
export interface Query {
  readonly name: string;
  readonly text: string;
  readonly values: readonly (string | number | null)[];
}

type Value = string | number | boolean | null | undefined;

export interface Column<Row> {
  readonly type: 'bigint' | 'integer' | 'smallint' | 'text' | 'char' | 'boolean';
  readonly of: (row: Row) => Value;
}

/**
 * Rows as parameters: one array per column, put together again by unnest. However many rows there are, the statement
 * is the same one and the round trip is one.
 */
export class RowSet<Row> {
  readonly names: readonly string[];
  private readonly columns: readonly Column<Row>[];

  constructor(columns: { readonly [name: string]: Column<Row> }) {
    this.names = Object.keys(columns);
    this.columns = Object.values(columns);
  }

  get size(): number {
    return this.names.length;
  }

  /**
   * `(select unnest($1::bigint[]) as …, …) as alias`, its parameters counted from `first`. As a select list and not as
   * one unnest of many arrays in FROM: that one copies each array into a store of its own first, which took a quarter
   * of all time of a commit.
   */
  from(alias: string, first = 1): string {
    const parameters = this.columns.map(({ type }, index) => `unnest($${first + index}::${type === 'char' ? '"char"' : type}[]) as ${this.names[index]!}`);
    return `(select ${parameters.join(', ')}) as ${alias}`;
  }

  /** The columns' names, each behind `prefix`. */
  list(prefix = ''): string {
    return this.names.map((name) => prefix + name).join(', ');
  }

  values(rows: readonly Row[]): string[] {
    return this.columns.map(({ type, of }) => (type === 'text' || type === 'char' ? textArray(rows, of) : plainArray(rows, of)));
  }
}

export const bigint = <Row>(of: (row: Row) => string | number | null | undefined): Column<Row> => ({ type: 'bigint', of });
export const integer = <Row>(of: (row: Row) => number | null | undefined): Column<Row> => ({ type: 'integer', of });
export const smallint = <Row>(of: (row: Row) => number | null | undefined): Column<Row> => ({ type: 'smallint', of });
export const text = <Row>(of: (row: Row) => string | null | undefined): Column<Row> => ({ type: 'text', of });
export const char = <Row>(of: (row: Row) => string | null | undefined): Column<Row> => ({ type: 'char', of });
export const boolean = <Row>(of: (row: Row) => boolean | null | undefined): Column<Row> => ({ type: 'boolean', of });

function plainArray<Row>(rows: readonly Row[], of: (row: Row) => Value): string {
  let literal = '{';
  for (let index = 0; index < rows.length; index++) {
    if (index > 0) literal += ',';
    literal += of(rows[index]!) ?? 'NULL';
  }
  return `${literal}}`;
}

const ESCAPED = /["\\]/;

function textArray<Row>(rows: readonly Row[], of: (row: Row) => Value): string {
  let literal = '{';
  for (let index = 0; index < rows.length; index++) {
    if (index > 0) literal += ',';
    const value = of(rows[index]!) as string | null | undefined;
    if (value === null || value === undefined) literal += 'NULL';
    else literal += `"${ESCAPED.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`;
  }
  // Postgres' text holds everything but NUL. JSON writes it as an escape; only a bare name could contain it.
  return `${literal.includes('\0') ? literal.replaceAll('\0', '�') : literal}}`;
}

export const textValues = (values: readonly (string | null)[]): string => textArray(values, (value) => value);
export const plainValues = (values: readonly (string | number | null)[]): string => plainArray(values, (value) => value);
