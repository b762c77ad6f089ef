import type { Json } from '@app/engine';
import type { Evaluation } from '../language/evaluation.ts';

/** `$parameter`: the node's own parameters, each resolved when it is read. A leading `&` names a sibling and is ignored. */
export function parametersView(evaluation: Evaluation): unknown {
  return resolvedView(evaluation.view.data.node.rawParameters, evaluation, 0);
}

/** Parameters that refer to each other in a circle end here. */
const DEEPEST = 50;

function resolvedView(value: Json | undefined, evaluation: Evaluation, depth: number): unknown {
  if (depth > DEEPEST) return undefined;
  if (typeof value === 'string') return value.startsWith('=') ? evaluation.view.evaluateText(value, evaluation) : value;
  if (Array.isArray(value)) return value.map((element: Json) => resolvedView(element, evaluation, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as { readonly [key: string]: Json };
  return new Proxy(
    {},
    {
      get: (_target, name) =>
        typeof name === 'string' ? resolvedView(fields[name.startsWith('&') ? name.slice(1) : name], evaluation, depth + 1) : undefined,
      has: (_target, name) => typeof name === 'string' && Object.hasOwn(fields, name),
      ownKeys: () => Object.keys(fields),
      getOwnPropertyDescriptor: (_target, name) =>
        typeof name === 'string' && Object.hasOwn(fields, name)
          ? { configurable: true, enumerable: true, value: resolvedView(fields[name], evaluation, depth + 1) }
          : undefined,
    },
  );
}
