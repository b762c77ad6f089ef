/** A piece of a template: plain text, or the source between the braces. */
export type Chunk = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'code'; readonly code: string };

/**
 * Splits what follows the `=` of a parameter. Braces are found by looking at the text alone: a `}}` ends the code even
 * within a string literal, unless a backslash stands before it (`\}}` means `}}`). In plain text `\{{` stays as it is
 * and opens nothing. Code that is never closed runs to the end.
 */
export function splitTemplate(template: string): Chunk[] {
  const chunks: Chunk[] = [];
  let from = 0;
  for (;;) {
    const open = unescaped(template, '{{', from);
    if (open === -1) break;
    if (open > from) chunks.push({ kind: 'text', text: template.slice(from, open) });
    const close = unescaped(template, '}}', open + 2);
    const code = template.slice(open + 2, close === -1 ? undefined : close);
    chunks.push({ kind: 'code', code: code.replaceAll('\\}}', '}}') });
    if (close === -1) return chunks;
    from = close + 2;
  }
  if (from < template.length) chunks.push({ kind: 'text', text: template.slice(from) });
  return chunks;
}

function unescaped(text: string, mark: string, from: number): number {
  let at = text.indexOf(mark, from);
  while (at > 0 && text[at - 1] === '\\') at = text.indexOf(mark, at + 1);
  return at;
}
