export type Cell = string | number | null | undefined;

/** Plain columns, numbers to the right. Control characters of foreign text must not reach a terminal. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [headings, ...rows.map((row) => row.map(textOf))];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const isNumeric = headings.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number' || row[column] == null));
  return (
    lines
      .map((line) =>
        line
          .map((cell, column) => (isNumeric[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)))
          .join('  ')
          .trimEnd(),
      )
      .join('\n') + '\n'
  );
}

const control = /[\u0000-\u001f\u007f-\u009f]+/g;

export const printable = (text: string): string => text.replace(control, ' ');

const textOf = (cell: Cell): string => (cell == null ? '' : printable(String(cell)));
