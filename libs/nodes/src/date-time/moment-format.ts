/** Tokens of moment.js that luxon spells otherwise; all others are the same in both. */
const tokens: { readonly [token: string]: string } = {
  YYYY: 'yyyy',
  YY: 'yy',
  DDDD: 'ooo',
  DDD: 'o',
  DD: 'dd',
  D: 'd',
  Do: 'd',
  dddd: 'cccc',
  ddd: 'ccc',
  dd: 'ccc',
  d: 'c',
  E: 'c',
  A: 'a',
  a: 'a',
  Z: 'ZZ',
  ZZ: 'ZZZ',
  GGGG: 'kkkk',
  gggg: 'kkkk',
};

/** A format of the first version of Date & Time in luxon's notation; text in brackets is meant literally. */
export function luxonFormat(momentFormat: string): string {
  return momentFormat.replace(/\[([^\]]*)\]|Do|([A-Za-z])\2*/g, (token, literal: string | undefined) =>
    literal === undefined ? (tokens[token] ?? token) : `'${literal}'`,
  );
}
