import type { Json, JsonObject } from '@app/engine';
import { DateTime } from 'luxon';
import { ExpressionError } from '../errors.ts';
import type { Evaluation } from '../language/evaluation.ts';
import { allow, allowMethods } from '../language/guards.ts';
import { visibleBinary } from './binary.ts';
import { FREE_FUNCTIONS } from './free-functions.ts';
import { InputReference } from './input-reference.ts';
import { legacyNodes } from './legacy-node.ts';
import { itemsOf, NodeReference } from './node-reference.ts';
import { parametersView } from './parameters-view.ts';

type Variable = (evaluation: Evaluation) => unknown;

const NODE_METHODS = new Set(['first', 'last', 'all', 'itemMatching', 'pairedItem']);
allowMethods({ matches: (receiver) => receiver instanceof NodeReference || receiver instanceof InputReference, methods: NODE_METHODS });

/** A function of the language, bound to an evaluation. */
function bound<T extends (...args: never[]) => unknown>(fn: T): T {
  allow(fn);
  return fn;
}

const nowIn = ({ view }: Evaluation): DateTime => DateTime.fromMillis(view.data.now, { zone: view.zone });

const previousOf = (evaluation: Evaluation) => {
  const { data, inputIndex } = evaluation.view;
  return data.inputSources[inputIndex] ?? data.inputSources[0] ?? null;
};

/** Every name the language gives, and how its value is found. */
export const VARIABLES: Readonly<Record<string, Variable>> = {
  ...FREE_FUNCTIONS,
  $json: (evaluation) => evaluation.item?.json,
  $binary: (evaluation) => visibleBinary(evaluation.item?.binary) ?? {},
  $input: (evaluation) => new InputReference(evaluation),
  $: (evaluation) => bound((name: string) => new NodeReference(evaluation, name)),
  $node: legacyNodes,
  $items: (evaluation) =>
    bound((name?: string, output?: number, run?: number) =>
      name === undefined ? evaluation.view.items : itemsOf(evaluation, name, output ?? 0, run),
    ),
  $item: (evaluation) => bound((itemIndex: number) => scopeOf(evaluation.at(itemIndex))),
  $itemIndex: (evaluation) => evaluation.itemIndex,
  $thisItem: (evaluation) => evaluation.item,
  $thisItemIndex: (evaluation) => evaluation.itemIndex,
  $thisRunIndex: (evaluation) => evaluation.view.data.runIndex,
  $runIndex: (evaluation) => evaluation.view.data.runIndex,
  $mode: (evaluation) => evaluation.view.data.execution.mode,
  $nodeVersion: (evaluation) => evaluation.view.data.node.version,
  $nodeId: (evaluation) => evaluation.view.data.node.id,
  $webhookId: (evaluation) => evaluation.view.data.node.webhookId,
  $position: (evaluation) => evaluation.view.data.node.position ?? [0, 0],
  $prevNode: (evaluation) => {
    const previous = previousOf(evaluation);
    return { name: previous?.previousNode, outputIndex: previous?.previousNodeOutput ?? 0, runIndex: previous?.previousNodeRun ?? 0 };
  },
  $workflow: ({ view: { data } }) => ({ id: data.workflow.id, name: data.workflow.name, active: data.workflow.active }),
  // Custom data can be read by code only; here it is undefined, which swallows a call of customData.get().
  $execution: ({ view: { data } }) => ({
    id: data.execution.id,
    mode: data.execution.mode === 'manual' || data.execution.mode === 'evaluation' ? 'test' : 'production',
    resumeUrl: data.execution.resumeUrl,
    resumeFormUrl: data.execution.resumeFormUrl,
  }),
  $executionId: ({ view: { data } }) => data.execution.id,
  $resumeWebhookUrl: ({ view: { data } }) => data.execution.resumeUrl,
  $now: nowIn,
  $today: (evaluation) => nowIn(evaluation).startOf('day'),
  $vars: ({ view: { data } }) => data.vars,
  $env: ({ view: { data } }) => environment(data.env),
  $secrets: () => ({}),
  $rawParameter: ({ view: { data } }) => data.node.rawParameters,
  $parameter: parametersView,
  $self: ({ view: { data } }) => data.staticData.node,
  $evaluateExpression: (evaluation) =>
    bound((text: string, itemIndex?: number) =>
      evaluation.view.evaluateText(
        String(text).startsWith('=') ? String(text) : `=${text}`,
        itemIndex === undefined ? evaluation : evaluation.at(itemIndex),
      ),
    ),
  $fromAI: (evaluation) =>
    bound((key: string, _description?: string, _type?: string, fallback?: Json) => fromModel(evaluation, key, fallback)),
  $fromAi: (evaluation) =>
    bound((key: string, _description?: string, _type?: string, fallback?: Json) => fromModel(evaluation, key, fallback)),
  $fromai: (evaluation) =>
    bound((key: string, _description?: string, _type?: string, fallback?: Json) => fromModel(evaluation, key, fallback)),
};

/** The variables of another item, as `$item(index)` gives them. */
function scopeOf(evaluation: Evaluation): object {
  return new Proxy(
    {},
    {
      get: (_target, name) => (typeof name === 'string' && Object.hasOwn(VARIABLES, name) ? VARIABLES[name]!(evaluation) : undefined),
      has: (_target, name) => typeof name === 'string' && Object.hasOwn(VARIABLES, name),
    },
  );
}

/** Tools get the model's values as fields of their item, below `query` or at the top. */
function fromModel(evaluation: Evaluation, key: string, fallback: Json | undefined): Json | undefined {
  const json: JsonObject = evaluation.item?.json ?? {};
  const query = json['query'];
  const inQuery = typeof query === 'object' && query !== null && !Array.isArray(query) ? (query as JsonObject)[key] : undefined;
  return inQuery ?? json[key] ?? fallback;
}

function environment(env: Readonly<Record<string, string>> | null): object {
  if (env) return env;
  return new Proxy(
    {},
    {
      get: (_target, name) => {
        if (typeof name !== 'string') return undefined;
        throw new ExpressionError(
          'expression_unavailable',
          `Access to environment variable "${name}" is denied`,
          'An administrator decides which variables expressions may read.',
        );
      },
    },
  );
}
