import { Injectable } from '@nestjs/common';
import { link, type JsonObject, type LinkedProgram } from '@app/engine';
import type { Dialect } from '@app/dialects';
import { Store } from '@app/store';
import { Dialects } from '../dialects.ts';
import { notFound } from '../problems/api-problem.ts';

/** A version, ready to start executions of. */
export interface RunnableVersion {
  readonly id: string;
  readonly workflowId: string;
  readonly document: JsonObject;
  readonly program: LinkedProgram;
  readonly dialect: Dialect;
}

/** Nodes and edges of all cached programs together; about 1 kB each, documents included. */
const mostParts = 50_000;

/** Versions never change, so the recently used ones are kept. */
@Injectable()
export class RunnableVersions {
  readonly #cached = new Map<string, { readonly version: Promise<RunnableVersion>; parts: number }>();
  #parts = 0;

  constructor(
    private readonly store: Store,
    private readonly dialects: Dialects,
  ) {}

  get(versionId: string): Promise<RunnableVersion> {
    const cached = this.#cached.get(versionId);
    if (!cached) return this.#load(versionId);
    // The map's order is the order of use.
    this.#cached.delete(versionId);
    this.#cached.set(versionId, cached);
    return cached.version;
  }

  #load(versionId: string): Promise<RunnableVersion> {
    const version = this.#read(versionId);
    const entry = { version, parts: 0 };
    this.#cached.set(versionId, entry);
    version.then(
      ({ program }) => {
        if (this.#cached.get(versionId) !== entry) return;
        entry.parts = program.nodes.length + program.edges.length + 1;
        this.#parts += entry.parts;
        this.#shrink(versionId);
      },
      () => this.#cached.delete(versionId),
    );
    return version;
  }

  async #read(versionId: string): Promise<RunnableVersion> {
    const record = await this.store.findVersion(versionId);
    if (!record) throw notFound('workflow version', versionId, 'Save the workflow again.');
    const { id, workflowId, document } = record;
    return { id, workflowId, document, program: link(record.program), dialect: this.dialects.named(record.dialect) ?? this.dialects.of(document) };
  }

  #shrink(newest: string): void {
    for (const [id, { parts }] of this.#cached) {
      if (this.#parts <= mostParts) return;
      if (id === newest || parts === 0) continue;
      this.#cached.delete(id);
      this.#parts -= parts;
    }
  }
}
