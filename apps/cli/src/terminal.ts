/** Where a command writes. Results go to `out`, everything about them to `note`. */
export interface Terminal {
  out(text: string): void;
  note(text: string): void;
  /** Width of the screen; null when nobody is watching. */
  readonly columns: number | null;
}
