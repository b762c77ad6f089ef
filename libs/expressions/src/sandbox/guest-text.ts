import { utf8Bytes, utf8Text } from '../extensions/encoding.ts';

/** The parts of the Encoding standard that code uses: UTF-8 only. */
export class TextEncoder {
  readonly encoding = 'utf-8';

  encode(text = ''): Uint8Array {
    return utf8Bytes(String(text));
  }
}

export class TextDecoder {
  readonly encoding = 'utf-8';

  constructor(encoding = 'utf-8') {
    if (!/^utf-?8$/i.test(encoding)) throw new RangeError(`The encoding "${encoding}" is not supported, only utf-8`);
  }

  decode(bytes: Uint8Array | ArrayBuffer = new Uint8Array()): string {
    return utf8Text(bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes);
  }
}
