/* Written out, as the sandbox has neither Buffer nor TextEncoder and both sides must agree. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

export function utf8Bytes(text: string): Uint8Array {
  const escaped = encodeURIComponent(wellFormed(text));
  const bytes = new Uint8Array(escaped.length);
  let length = 0;
  for (let at = 0; at < escaped.length; at++) {
    if (escaped[at] === '%') {
      bytes[length++] = Number.parseInt(escaped.slice(at + 1, at + 3), 16);
      at += 2;
    } else {
      bytes[length++] = escaped.charCodeAt(at);
    }
  }
  return bytes.subarray(0, length);
}

/** Bytes that are no UTF-8 become the replacement character, one for each. */
export function utf8Text(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at]!;
    const length =
      lead < 0x80 ? 1 : lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
    const code = length === 1 ? lead : decodeLonger(bytes, at, length);
    if (code === undefined) {
      text += '\ufffd';
      at++;
    } else {
      text += String.fromCodePoint(code);
      at += length;
    }
  }
  return text;
}

const SMALLEST = [0, 0, 0x80, 0x800, 0x10000];

function decodeLonger(bytes: Uint8Array, at: number, length: number): number | undefined {
  if (length === 0 || at + length > bytes.length) return undefined;
  let code = bytes[at]! & (0xff >> (length + 1));
  for (let next = 1; next < length; next++) {
    const byte = bytes[at + next]!;
    if ((byte & 0xc0) !== 0x80) return undefined;
    code = (code << 6) | (byte & 0x3f);
  }
  return code < SMALLEST[length]! || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? undefined : code;
}

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const group = (bytes[at]! << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    text += ALPHABET[group >> 18]! + ALPHABET[(group >> 12) & 63]!;
    text += at + 1 < bytes.length ? ALPHABET[(group >> 6) & 63]! : '=';
    text += at + 2 < bytes.length ? ALPHABET[group & 63]! : '=';
  }
  return text;
}

const VALUES = new Map([...ALPHABET].map((sign, value) => [sign, value]));
VALUES.set('-', 62).set('_', 63);

/** Signs outside the alphabet are skipped; reading stops at the padding. */
export function fromBase64(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4));
  let length = 0;
  let bits = 0;
  let held = 0;
  for (const sign of text) {
    if (sign === '=') break;
    const value = VALUES.get(sign);
    if (value === undefined) continue;
    held = ((held << 6) | value) & 0xffffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[length++] = (held >> bits) & 0xff;
    }
  }
  return bytes.subarray(0, length);
}

/** Half of a surrogate pair has no encoding. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}
