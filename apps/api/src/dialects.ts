import type { Dialect } from '@app/dialects';

/** The graph languages this process compiles. */
export class Dialects {
  readonly #list: readonly Dialect[];

  /** The first one speaks for documents that none recognizes: its compiler then says what is missing. */
  constructor(list: readonly [Dialect, ...Dialect[]]) {
    this.#list = list;
  }

  of(document: unknown): Dialect {
    return this.#list.find((dialect) => dialect.recognise(document)) ?? this.#list[0]!;
  }

  named(name: string): Dialect | undefined {
    return this.#list.find((dialect) => dialect.name === name);
  }
}
