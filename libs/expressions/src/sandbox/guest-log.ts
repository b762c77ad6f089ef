const MOST_LINES = 500;
const LONGEST_LINE = 4_000;

/** What code writes to the console, within limits. */
export class Log {
  readonly lines: string[] = [];

  write(values: readonly unknown[]): void {
    if (this.lines.length > MOST_LINES) return;
    if (this.lines.length === MOST_LINES) {
      this.lines.push(`… more than ${MOST_LINES} lines; the rest is left out`);
      return;
    }
    const line = values.map(textOf).join(' ');
    this.lines.push(line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line);
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (typeof value !== 'object' || value === null) return String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
