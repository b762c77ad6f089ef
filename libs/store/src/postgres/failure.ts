/** What a failed round trip means for whoever must decide what to do next. */
export type Failure =
  /** Rolled back for a reason that may be gone by now: the same again. */
  | 'repeat'
  /** Another one has changed the execution: read and decide anew. */
  | 'fence'
  /** The connection broke or the server is not there: nothing is known about what was sent. */
  | 'lost'
  /** A bug or bad input: trying again cannot help. */
  | 'fatal';

const REPEAT = new Set(['40001', '40P01', '55P03']);
// 57P01–57P05: shut down, crash, starting up, idle time-out. 53300: too many connections. 53100/53200: disk or memory full. 25006: a standby.
const LOST = /^(08...|57P..|53...|25006)$/;

export function failureOf(error: unknown): Failure {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== 'string') return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError ? 'fatal' : isConnectionText(error) ? 'lost' : 'fatal';
  if (code === 'AR001') return 'fence';
  if (REPEAT.has(code)) return 'repeat';
  if (LOST.test(code) || /^E[A-Z]+$/.test(code)) return 'lost';
  return 'fatal';
}

function isConnectionText(error: unknown): boolean {
  return error instanceof Error && /connection|terminated|timeout expired|not queryable|closed/i.test(error.message);
}

// 22: data exceptions. 23: constraints. 54: program limits. XX000: among others an allocation beyond 1 GB.
const CONTENT = /^(22...|23...|54...|XX000)$/;

/** Whether a fatal failure of a single entry lies in what it wanted to write, and not in the schema or the connection. */
export function isOfContent(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? CONTENT.test(code) : error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}
