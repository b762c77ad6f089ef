import { link, programFor, type JsonObject, type LinkedProgram } from '@app/engine';
import { NotFound, type Store } from '@app/store';
import type { NodeCatalogue } from '@app/nodes';
import { prepareNode, type PreparedNode } from './execute/prepared-node.ts';

/** A program with everything that is the same for all its executions. */
export interface LoadedProgram {
  readonly program: LinkedProgram;
  readonly workflow: { readonly id: string; readonly name: string; readonly active: boolean };
  node(index: number): PreparedNode;
}

/** Compiled programs by version and restriction, least recently used first to go. Versions are immutable. */
export class ProgramCache {
  private readonly programs = new Map<string, Promise<LoadedProgram>>();

  constructor(
    private readonly store: Store,
    private readonly nodes: NodeCatalogue,
    private readonly capacity = 500,
  ) {}

  get(versionId: string, options: JsonObject): Promise<LoadedProgram> {
    const { only, stopAt, scheduling } = options;
    const key = only === undefined && scheduling === undefined ? versionId : `${versionId} ${JSON.stringify([only, stopAt, scheduling])}`;
    let program = this.programs.get(key);
    if (program) this.programs.delete(key);
    else {
      program = this.load(versionId, options);
      program.catch(() => this.programs.delete(key));
    }
    this.programs.set(key, program);
    if (this.programs.size > this.capacity) this.programs.delete(this.programs.keys().next().value!);
    return program;
  }

  private async load(versionId: string, options: JsonObject): Promise<LoadedProgram> {
    const version = await this.store.findVersion(versionId);
    if (!version) throw new NotFound('version', versionId);
    const program = link(programFor(version.program, options));
    const prepared: PreparedNode[] = [];
    const workflow = { id: version.workflowId, name: program.name, active: false };
    return {
      program,
      workflow,
      node: (index) => (prepared[index] ??= prepareNode(program, index, this.nodes)),
    };
  }
}
