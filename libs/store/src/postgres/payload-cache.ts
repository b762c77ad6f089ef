/** What an entry takes besides its text: its key, the entry of the map, the headers of two strings. */
const ENTRY = 160;

/**
 * Items that this process has written or read lately, as text. Outputs never change, so nothing here can be stale; a
 * worker that goes on with a chain finds its input without a round trip.
 */
export class PayloadCache {
  private readonly texts = new Map<string, string>();
  private characters = 0;

  constructor(
    private readonly limit: number,
    /** Larger ones would push out too many others. */
    private readonly single = limit / 64,
  ) {}

  get(key: string): string | undefined {
    const text = this.texts.get(key);
    if (text === undefined) return undefined;
    this.texts.delete(key);
    this.texts.set(key, text);
    return text;
  }

  set(key: string, text: string): void {
    if (text.length > this.single || this.texts.has(key)) return;
    this.texts.set(key, text);
    this.characters += text.length + ENTRY;
    for (const [oldest, oldestText] of this.texts) {
      if (this.characters <= this.limit) return;
      this.texts.delete(oldest);
      this.characters -= oldestText.length + ENTRY;
    }
  }
}

export const payloadKey = (execution: string, scope: string, node: number, seq: number, port: number): string => `${execution} ${scope} ${node} ${seq} ${port}`;
