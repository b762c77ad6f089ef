import { fromBase64, toBase64, utf8Bytes, utf8Text } from '../extensions/encoding.ts';

/** The part of Node's Buffer that code of workflows uses: conversions between texts and bytes. */
export class GuestBuffer extends Uint8Array {
  static override from(value: unknown, encoding?: unknown): GuestBuffer {
    return new GuestBuffer(bytesOf(value, encoding));
  }

  static alloc(size: number, fill: number | string = 0): GuestBuffer {
    const buffer = new GuestBuffer(size);
    const pattern = typeof fill === 'number' ? [fill] : [...utf8Bytes(fill)];
    for (let at = 0; at < size && pattern.length > 0; at++) buffer[at] = pattern[at % pattern.length]!;
    return buffer;
  }

  static isBuffer(value: unknown): boolean {
    return value instanceof GuestBuffer;
  }

  static byteLength(value: unknown, encoding?: unknown): number {
    return bytesOf(value, encoding).length;
  }

  static concat(list: readonly Uint8Array[]): GuestBuffer {
    const buffer = new GuestBuffer(list.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of list) {
      buffer.set(part, at);
      at += part.length;
    }
    return buffer;
  }

  override toString(encoding: unknown = 'utf8', from = 0, to = this.length): string {
    const bytes = this.subarray(from, to);
    switch (nameOf(encoding)) {
      case 'hex':
        return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
      case 'base64':
        return toBase64(bytes);
      case 'base64url':
        return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
      case 'latin1':
      case 'binary':
        return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
      case 'ascii':
        return Array.from(bytes, (byte) => String.fromCharCode(byte & 0x7f)).join('');
      case 'utf16le':
      case 'ucs2':
        return Array.from({ length: bytes.length >> 1 }, (_, at) => String.fromCharCode(bytes[at * 2]! | (bytes[at * 2 + 1]! << 8))).join(
          '',
        );
      default:
        return utf8Text(bytes);
    }
  }

  toJSON(): { readonly type: string; readonly data: number[] } {
    return { type: 'Buffer', data: Array.from(this) };
  }

  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((byte, at) => byte === other[at]);
  }
}

function nameOf(encoding: unknown): string {
  return String(encoding ?? 'utf8')
    .toLowerCase()
    .replace('-', '');
}

function bytesOf(value: unknown, encoding: unknown): Uint8Array {
  if (typeof value !== 'string') {
    if (value instanceof ArrayBuffer) return new Uint8Array(value);
    if (value instanceof Uint8Array || Array.isArray(value)) return Uint8Array.from(value as number[]);
    throw new TypeError('A Buffer is made from a text, a list of bytes or another Buffer');
  }
  switch (nameOf(encoding)) {
    case 'hex':
      return Uint8Array.from(value.match(/[\da-f]{2}/gi) ?? [], (pair) => Number.parseInt(pair, 16));
    case 'base64':
    case 'base64url':
      return fromBase64(value);
    case 'latin1':
    case 'binary':
    case 'ascii':
      return Uint8Array.from(value, (sign) => sign.charCodeAt(0));
    case 'utf16le':
    case 'ucs2':
      return Uint8Array.from([...Array(value.length * 2).keys()], (at) => (value.charCodeAt(at >> 1) >> (at % 2 === 0 ? 0 : 8)) & 0xff);
    default:
      return utf8Bytes(value);
  }
}
