/** Walks instead of a pattern: a text full of `<` must not cost more than its length. */
export function removeTags(text: string): string {
  let result = '';
  let from = 0;
  for (;;) {
    const open = text.indexOf('<', from);
    const close = open === -1 ? -1 : text.indexOf('>', open);
    if (close === -1) return result + text.slice(from);
    if (/[a-z/!?]/i.test(text[open + 1] ?? '')) {
      result += text.slice(from, open);
      from = close + 1;
    } else {
      result += text.slice(from, open + 1);
      from = open + 1;
    }
  }
}

/** Line by line, so that the cost is bounded by the longest line. */
export function removeMarkdown(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^ {0,3}(?:[-*_=]{3,}|```.*|~~~.*)$/.test(line))
    .map((line) => removeInline(line.replace(/^ {0,3}(?:#{1,6} |> ?|[-*+] |\d{1,9}[.)] )/, '')))
    .join('\n');
}

function removeInline(line: string): string {
  let result = removeLinks(line);
  for (const mark of ['**', '__', '~~', '*', '_', '`']) result = removePairs(result, mark);
  return removeTags(result);
}

/** `[text](url)` and `![text](url)` keep their text. */
function removeLinks(line: string): string {
  let result = '';
  let from = 0;
  for (;;) {
    const middle = line.indexOf('](', from);
    const open = middle === -1 ? -1 : line.lastIndexOf('[', middle);
    const close = middle === -1 ? -1 : line.indexOf(')', middle);
    if (middle === -1 || close === -1) return result + line.slice(from);
    if (open < from) {
      result += line.slice(from, middle + 2);
      from = middle + 2;
      continue;
    }
    const start = open > from && line[open - 1] === '!' ? open - 1 : open;
    result += line.slice(from, start) + line.slice(open + 1, middle);
    from = close + 1;
  }
}

/** Marks count when they hug a word: `2 * 3` and `snake_case` are no emphasis. */
function removePairs(line: string, mark: string): string {
  const parts = line.split(mark);
  if (parts.length < 3) return line;
  let result = parts[0]!;
  for (let at = 1; at < parts.length; at++) {
    const inside = parts[at]!;
    const isLast = at === parts.length - 1;
    const hugs = !isLast && inside !== '' && inside === inside.trim() && !(mark.startsWith('_') && /\w$/.test(result));
    if (hugs) {
      result += inside + parts[++at]!;
    } else {
      result += mark + inside;
    }
  }
  return result;
}
