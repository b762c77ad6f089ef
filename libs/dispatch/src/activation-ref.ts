/** All that travels. What it refers to is read from Postgres by whoever receives it. */
export interface ActivationRef {
  /** As computed by the engine: letters, digits, `_`, `.` and `-`; never a `:`, never digits only. */
  readonly id: string;
  /** Counts how often this activation was announced. The same number twice is one message; a higher one is a new message. */
  readonly announcement: number;
  /** Which pool of workers it is meant for. */
  readonly queue: string;
  /** 0 is the ordinary and most urgent class; among greater numbers the smaller goes first. At most 2,097,151. */
  readonly priority: number;
}

export const defaultQueue = 'default';

/**
 * The identity of the message. The announcement is part of it because BullMQ ignores, without a word, a job whose id
 * it still holds: an announcement that got stuck must not swallow the next one.
 */
export const messageId = ({ id, announcement }: ActivationRef): string => `${id}-${announcement}`;

/** The reverse of `messageId`; null for a message that we cannot have sent. */
export function refOfMessage(message: string, queue: string, priority: number): ActivationRef | null {
  const at = message.lastIndexOf('-');
  const announcement = Number(message.slice(at + 1));
  if (at < 1 || !Number.isSafeInteger(announcement) || at === message.length - 1) return null;
  return { id: message.slice(0, at), announcement, queue, priority };
}
