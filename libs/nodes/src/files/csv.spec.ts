import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCsv, writeCsv } from './csv.ts';

describe('CSV', () => {
  it.each([
    ['a,b\n1,2\n', [['a', 'b'], ['1', '2']]],
    ['a\r\n1\r\n', [['a'], ['1']]],
    ['"x, y","say ""hi""","two\nlines"', [['x, y', 'say "hi"', 'two\nlines']]],
    ['a,,\n\n', [['a', '', '']]],
    ['', []],
    ['"open', [['open']]],
  ])('reads %j', (text, rows) => {
    expect(parseCsv(text)).toEqual(rows);
  });

  it('reads other delimiters, also of several signs', () => {
    expect(parseCsv('a;b', ';')).toEqual([['a', 'b']]);
    expect(parseCsv('a||b', '||')).toEqual([['a', 'b']]);
  });

  it('reads back what it wrote', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', ' ', 'é') });
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(rows, (given) => {
        expect(parseCsv(writeCsv(given))).toEqual(given);
      }),
    );
  });
});
