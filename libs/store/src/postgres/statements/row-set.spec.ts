import { describe, expect, it } from 'vitest';
import { bigint, boolean, char, RowSet, text, textValues } from './row-set.ts';

interface Example {
  readonly id: string;
  readonly name: string | null;
  readonly live?: boolean;
}

const rows = new RowSet<Example>({ id: bigint((row) => row.id), name: text((row) => row.name), kind: char(() => 'x'), live: boolean((row) => row.live) });

describe('rows as parameters', () => {
  it('become one array per column', () => {
    expect(rows.values([{ id: '1', name: 'a', live: true }, { id: '2', name: null }])).toEqual(['{1,2}', '{"a",NULL}', '{"x","x"}', '{true,NULL}']);
  });

  it('keep quotes, backslashes, commas, braces and the word NULL as they are', () => {
    expect(textValues(['say "hi"', 'back\\slash', 'a,b', '{}', 'NULL', ''])).toBe('{"say \\"hi\\"","back\\\\slash","a,b","{}","NULL",""}');
  });

  it('hold no NUL, which Postgres has no text for', () => {
    expect(textValues(['a\0b'])).toBe('{"a�b"}');
  });

  it('number their parameters from where they are told', () => {
    expect(rows.from('r', 5)).toBe('(select unnest($5::bigint[]) as id, unnest($6::text[]) as name, unnest($7::"char"[]) as kind, unnest($8::boolean[]) as live) as r');
  });
});
