/**
 * Backtracking of JavaScript's regular expressions takes, in the worst case, about (length of the subject) to the power
 * of (number of unbounded repetitions + 1) steps, as long as repetitions do not nest. Nested ones, and those over
 * alternatives, can take exponentially many. Subjects up to these lengths cost at most some ten milliseconds.
 */
const LONGEST_SUBJECT = [100_000, 2_000, 200, 60];

/** More rounds than this count as unbounded. */
const MANY = 16;

/** The longest subject that is safe for a pattern in the worker's own thread; 0: none is. */
export function longestSafeSubject(source: string): number {
  if (source.length > 500 || /\\[1-9]|\\k</.test(source)) return 0;
  const unbounded = countUnbounded(source);
  return unbounded === undefined ? 0 : (LONGEST_SUBJECT[unbounded] ?? 0);
}

/** Undefined when a repetition contains another one or a choice. */
function countUnbounded(source: string): number | undefined {
  let total = 0;
  // Per open group: does it contain something that a repetition around it must not contain?
  const groups: boolean[] = [false];
  let closedRisky = false;
  let previous: 'atom' | 'group' | 'none' = 'none';

  for (let at = 0; at < source.length; at++) {
    const sign = source[at]!;
    if (sign === '\\') {
      at++;
      previous = 'atom';
    } else if (sign === '[') {
      at = endOfClass(source, at);
      previous = 'atom';
    } else if (sign === '(') {
      groups.push(false);
      if (source[at + 1] === '?')
        at +=
          source[at + 2] === '<' && source[at + 3] !== '=' && source[at + 3] !== '!'
            ? source.indexOf('>', at) - at
            : source[at + 2] === '<'
              ? 3
              : 2;
      previous = 'none';
    } else if (sign === ')') {
      closedRisky = groups.pop() ?? true;
      if (groups.length === 0) return undefined;
      if (closedRisky) groups[groups.length - 1] = true;
      previous = 'group';
    } else if (sign === '|') {
      groups[groups.length - 1] = true;
      previous = 'none';
    } else {
      const repeat = repetitionAt(source, at);
      if (!repeat) {
        previous = 'atom';
        continue;
      }
      if (repeat.most > 1) {
        if (previous === 'group' && closedRisky) return undefined;
        groups[groups.length - 1] = true;
      }
      if (repeat.most > MANY) total++;
      at = repeat.end;
      if (source[at + 1] === '?') at++;
      previous = 'none';
    }
  }
  return total;
}

function endOfClass(source: string, open: number): number {
  for (let at = open + 1; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === ']') return at;
  }
  return source.length;
}

function repetitionAt(source: string, at: number): { readonly most: number; readonly end: number } | undefined {
  if (source[at] === '*' || source[at] === '+') return { most: Infinity, end: at };
  if (source[at] === '?') return { most: 1, end: at };
  if (source[at] !== '{') return undefined;
  const close = source.indexOf('}', at);
  const match = close === -1 ? null : /^(\d+)(,(\d*))?$/.exec(source.slice(at + 1, close));
  if (!match) return undefined;
  const most = match[2] === undefined ? Number(match[1]) : match[3] === '' ? Infinity : Number(match[3]);
  return { most, end: close };
}
