/** The command line says nothing that could be done. Exit code 2. */
export class BadUse extends Error {
  constructor(
    message: string,
    readonly suggestion = 'argosy --help lists the commands.',
  ) {
    super(message);
  }
}

/** What was asked for could not be done. Exit code 1. */
export class CommandFailed extends Error {
  constructor(
    message: string,
    readonly suggestion: string,
  ) {
    super(message);
  }
}
