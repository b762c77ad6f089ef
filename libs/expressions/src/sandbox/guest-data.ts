import type { Item, JsonObject } from '@app/engine';
import { compileExpression } from '../compile-expression.ts';
import { fromExpressionErrorShape } from '../errors.ts';
import type { ExecutionData, NodeRun, NodeRuns } from '../execution-data.ts';
import { View } from '../n8n/view.ts';
import type { Ancestry } from '../n8n/view.ts';
import type { AncestorAnswer, Ask, Payload, RunAnswer } from './border.ts';

/** A view of the activation for use within the sandbox, on copies of its own. */
export function guestView(payload: string, ask: Ask): View {
  return new View(
    guestData(JSON.parse(payload) as Payload, ask),
    { hash: (algorithm, text) => ask('hash', algorithm, text) },
    (text, evaluation) => compileExpression(text).run(evaluation),
    remoteAncestry(ask),
  );
}

function guestData(payload: Payload, ask: Ask): ExecutionData {
  const runsOf = remembered((node: string): NodeRuns | undefined => {
    const count = ask('runCount', node);
    return count === undefined
      ? undefined
      : { count, run: remembered((index: number) => parsed<RunAnswer & NodeRun>(ask('run', node, index))) };
  });
  return {
    ...payload,
    runsOf,
    hasNode: remembered((node: string) => ask('hasNode', node)),
    isAncestor: remembered((node: string) => ask('isAncestor', node)),
    parametersOf: remembered((node: string) => parsed<JsonObject>(ask('parameters', node))),
    contextOf: remembered((node: string) => parsed<JsonObject>(ask('context', node)) ?? {}),
    outputTowards: remembered((node: string) => ask('outputTowards', node)),
  };
}

function remoteAncestry(ask: Ask): Ancestry {
  const found = new Map<string, AncestorAnswer>();
  return {
    ancestorItem: (target, inputIndex, itemIndex): Item | undefined => {
      const key = `${inputIndex} ${itemIndex} ${target}`;
      let answer = found.get(key);
      if (!answer) {
        answer = JSON.parse(ask('ancestor', target, inputIndex, itemIndex)) as AncestorAnswer;
        found.set(key, answer);
      }
      if ('error' in answer) throw fromExpressionErrorShape(answer.error);
      return answer.item;
    },
  };
}

function parsed<T>(text: string | undefined): T | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

function remembered<K extends string | number, V>(find: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    if (!known.has(key)) known.set(key, find(key));
    return known.get(key)!;
  };
}
