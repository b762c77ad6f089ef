import { DateTime } from 'luxon';
import { ExpressionExtensionError } from '../errors.ts';
import { NEEDS_SANDBOX } from '../language/evaluation.ts';
import type { Evaluation } from '../language/evaluation.ts';
import { extractDomain, extractEmail, extractUrl, extractUrlPath, isDomain, isEmail, isUrl } from './addresses.ts';
import { fromBase64, toBase64, utf8Bytes, utf8Text } from './encoding.ts';
import type { Extensions } from './extension.ts';
import { removeMarkdown, removeTags } from './markup.ts';
import { numberToDateTime } from './number.ts';
import { toSentenceCase, toSnakeCase, toTitleCase } from './text-case.ts';
import { transliterate } from './transliterate.ts';

const HASHES = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha3'];
const CURRENCY = /[$€£¥₹₽₩₪₫₱₺₴₦฿¢]/g;

function toNumber(text: string, parse: (cleaned: string) => number, method: string): number {
  const number = parse(text.replace(CURRENCY, '').trim());
  if (Number.isNaN(number))
    throw new ExpressionExtensionError(`${method}(): ${JSON.stringify(text.slice(0, 60))} cannot be read as a number`);
  return number;
}

function toInt(text: string, args: readonly unknown[]): number {
  const radix = typeof args[0] === 'number' ? args[0] : undefined;
  return toNumber(text, (cleaned) => Number.parseInt(cleaned, radix), 'toInt');
}

function toFloat(text: string): number {
  if (text.includes(','))
    throw new ExpressionExtensionError(
      `toFloat(): ${JSON.stringify(text.slice(0, 60))} contains a comma`,
      'Use a point as the decimal separator, for instance .replace(",", ".").toFloat().',
    );
  return toNumber(text, Number.parseFloat, 'toFloat');
}

function hash(text: string, args: readonly unknown[], { view }: Evaluation): string {
  const algorithm = String(args[0] ?? 'md5').toLowerCase();
  if (algorithm === 'base64') return toBase64(utf8Bytes(text));
  if (!HASHES.includes(algorithm))
    throw new ExpressionExtensionError(`hash(): unknown algorithm "${algorithm.slice(0, 40)}"`, `Known: ${HASHES.join(', ')}, base64.`);
  return view.platform.hash(algorithm, text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ExpressionExtensionError(
      `parseJson(): the text is no JSON: ${reason}`,
      text.includes("'") ? 'JSON needs double quotes around keys and texts.' : undefined,
    );
  }
}

function toDate(text: string): Date {
  // A date without a time means the local midnight, while JavaScript reads it as midnight in Greenwich.
  const date = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00` : text);
  if (Number.isNaN(date.getTime())) throw new ExpressionExtensionError(`toDate(): ${JSON.stringify(text.slice(0, 60))} is no date`);
  return date;
}

function toDateTime(text: string, args: readonly unknown[], evaluation: Evaluation): DateTime {
  const { zone } = evaluation.view;
  const format = args[0];
  if (format === 'ms' || format === 's' || format === 'us' || format === 'excel') {
    const number = Number(text);
    if (text.trim() === '' || Number.isNaN(number))
      throw new ExpressionExtensionError(`toDateTime("${format}"): ${JSON.stringify(text.slice(0, 60))} is no number`);
    return numberToDateTime(number, format, zone);
  }
  if (typeof format === 'string') {
    if (evaluation.guarded && (format.length > 100 || text.length > 200)) throw NEEDS_SANDBOX;
    const parsed = DateTime.fromFormat(text, format, { zone });
    if (!parsed.isValid)
      throw new ExpressionExtensionError(
        `toDateTime(): ${JSON.stringify(text.slice(0, 60))} does not have the format "${format.slice(0, 60)}"`,
      );
    return parsed;
  }
  return parseDate(text.trim(), zone);
}

function parseDate(text: string, zone: string): DateTime {
  if (text.length < 100) {
    for (const parse of [DateTime.fromISO, DateTime.fromRFC2822, DateTime.fromHTTP, DateTime.fromSQL]) {
      const parsed = parse(text, { zone });
      if (parsed.isValid) return parsed;
    }
    const native = DateTime.fromJSDate(new Date(text), { zone });
    if (native.isValid) return native;
  }
  throw new ExpressionExtensionError(
    `toDateTime(): ${JSON.stringify(text.slice(0, 60))} is in no known date format`,
    'Give the format, for instance .toDateTime("dd.MM.yyyy").',
  );
}

function quote(text: string, args: readonly unknown[]): string {
  const mark = typeof args[0] === 'string' && args[0] !== '' ? args[0] : '"';
  return mark + text.replaceAll('\\', '\\\\').replaceAll(mark, () => `\\${mark}`) + mark;
}

export const STRING_EXTENSIONS: Extensions<string> = {
  hash,
  toInt,
  toWholeNumber: toInt,
  toFloat,
  toDecimalNumber: toFloat,
  toNumber: (text) => toNumber(text, Number, 'toNumber'),
  toBoolean: (text) => !['', 'false', 'no', '0'].includes(text.toLowerCase()),
  toDate,
  toDateTime,
  parseJson,
  toJsonString: (text) => JSON.stringify(text),
  urlEncode: (text, [allChars]) => (allChars ? encodeURI(text) : encodeURIComponent(text)),
  urlDecode: (text, [allChars]) => (allChars ? decodeURI(text) : decodeURIComponent(text)),
  base64Encode: (text) => toBase64(utf8Bytes(text)),
  base64Decode: (text) => utf8Text(fromBase64(text)),
  quote,
  toTitleCase,
  toSentenceCase,
  toSnakeCase,
  replaceSpecialChars: transliterate,
  removeMarkdown,
  removeTags,
  extractEmail,
  extractUrl,
  extractDomain,
  extractUrlPath,
  isEmail,
  isUrl,
  isDomain,
  isNumeric: (text) => text !== '' && !/\s/.test(text) && Number.isFinite(Number(text)),
  isEmpty: (text) => text === '',
  isNotEmpty: (text) => text !== '',
  length: (text) => text.length,
};
