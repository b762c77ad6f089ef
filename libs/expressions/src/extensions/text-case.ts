/** Words a title keeps small unless they stand first or last. */
const SMALL = new Set(
  `
  a an and as at because but by en for if in neither nor of on only or over per so some than the to up upon v versus via
  vs when with without yet
`
    .trim()
    .split(/\s+/),
);

/** Words that are written with capitals already are left alone. */
export function toTitleCase(text: string): string {
  const words = text.split(/(\s+)/);
  const isWord = (word: string): boolean => word.trim() !== '';
  const first = words.findIndex(isWord);
  const last = words.findLastIndex(isWord);
  return words
    .map((word, index) => {
      if (!isWord(word) || /\p{Lu}/u.test(word.slice(1))) return word;
      if (index !== first && index !== last && SMALL.has(word.toLowerCase())) return word.toLowerCase();
      return word.replace(/\p{L}/u, (letter) => letter.toUpperCase());
    })
    .join('');
}

export function toSentenceCase(text: string): string {
  let atStart = true;
  let result = '';
  for (const sign of text.toLowerCase()) {
    const isLetter = /[\p{L}\p{N}]/u.test(sign);
    result += atStart && isLetter ? sign.toUpperCase() : sign;
    if (isLetter) atStart = false;
    else if (sign === '.' || sign === '!' || sign === '?') atStart = true;
  }
  return result;
}

export function toSnakeCase(text: string): string {
  return text
    .toLowerCase()
    .replace(/[ \-]/g, '_')
    .replace(/[^\p{L}\p{N}_]/gu, '');
}
