/** Rows and cells of CSV text (RFC 4180; line ends of any kind; quotes doubled inside quotes). Blank lines are left out. */
export function parseCsv(text: string, delimiter = ','): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  const endCell = (): void => {
    row.push(cell);
    cell = '';
  };
  const endRow = (): void => {
    endCell();
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') cell += text[++at]!;
      else quoted = false;
    } else if (sign === '"' && cell === '') quoted = true;
    else if (text.startsWith(delimiter, at)) {
      endCell();
      at += delimiter.length - 1;
    } else if (sign === '\n') endRow();
    else if (sign !== '\r' || text[at + 1] !== '\n') cell += sign;
  }
  if (cell !== '' || row.length > 0) endRow();
  return rows;
}

/** Cells are quoted only where their text needs it; no line end after the last row. */
export const writeCsv = (rows: readonly (readonly string[])[], delimiter = ','): string =>
  rows.map((row) => row.map((cell) => quotedCell(cell, delimiter)).join(delimiter)).join('\n');

const quotedCell = (cell: string, delimiter: string): string =>
  cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
