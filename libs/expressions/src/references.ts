/** What an expression may look at beside its own input: so much has to be loaded before it can run. */
export interface References {
  /** Nodes that are named. */
  readonly nodes: ReadonlySet<string>;
  /** A name is computed when the code runs: any node may be meant. */
  readonly dynamic: boolean;
  /** The pairing of items is followed, through all runs between here and the node. */
  readonly lineage: boolean;
}

export const noReferences: References = Object.freeze({ nodes: new Set<string>(), dynamic: false, lineage: false });

export function joinReferences(all: readonly References[]): References {
  return {
    nodes: new Set(all.flatMap((one) => [...one.nodes])),
    dynamic: all.some((one) => one.dynamic),
    lineage: all.some((one) => one.lineage),
  };
}
