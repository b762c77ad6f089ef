/** One thing wrong with a document. Compilers report all of them at once and never throw. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  /** Stable, for programs: `unknown_target`, `duplicate_name`, … */
  readonly code: string;
  /** JSON path into the document, for instance `$.nodes[3].parameters.url`. */
  readonly path: string;
  readonly message: string;
  /** What to do about it. */
  readonly suggestion: string;
}
