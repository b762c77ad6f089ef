import type { JsonObject } from '@app/engine';
import { programIssues, type NodeCatalogue } from '@app/nodes';
import { nodesOnly } from './limited-program.ts';
import type { RunnableVersion } from './runnable-versions.ts';

const known = new WeakMap<RunnableVersion, Map<string, readonly string[]>>();

/** What is missing on the nodes that a start can reach: the same for every start at the same nodes, so it is asked once. */
export function startIssues(version: RunnableVersion, starts: readonly { readonly node: number }[], options: JsonObject, nodes: NodeCatalogue): readonly string[] {
  const ofVersion = known.get(version) ?? new Map<string, readonly string[]>();
  known.set(version, ofVersion);
  const indexes = starts.map(({ node }) => node);
  const key = `${indexes.join()};${Array.isArray(options['only']) ? options['only'].join() : ''}`;
  const issues = ofVersion.get(key) ?? programIssues(version.program, indexes, nodesOnly(options), nodes);
  ofVersion.set(key, issues);
  return issues;
}
