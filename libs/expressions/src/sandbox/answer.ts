import { ExpressionError, toExpressionErrorShape } from '../errors.ts';
import type { ExecutionData } from '../execution-data.ts';
import { Lineage } from '../n8n/lineage.ts';
import { nodePlatform } from '../platform.ts';
import type { AncestorAnswer, Ask, Payload, RunAnswer } from './border.ts';

/** More questions than any honest expression asks; each costs the worker's thread some microseconds. */
const MOST_QUESTIONS = 50_000;

export function payloadOf(data: ExecutionData): string {
  const { node, workflow, execution, runIndex, inputs, inputSources, currentInput, vars, env, customData, staticData, now } = data;
  return JSON.stringify({
    node,
    workflow,
    execution,
    runIndex,
    inputs,
    inputSources,
    currentInput,
    vars,
    env,
    customData,
    staticData,
    now,
  } satisfies Payload);
}

/** Answers for one activation. Whatever is asked, only that activation's data can be read through it. */
export function answersFrom(data: ExecutionData): Ask {
  const lineage = new Lineage(data);
  let asked = 0;
  const answer = (question: string, first: string, second: number | string, third: number): unknown => {
    if (++asked > MOST_QUESTIONS) throw new Error('The code asks for other nodes too often');
    switch (question) {
      case 'runCount':
        return data.runsOf(first)?.count;
      case 'run': {
        const run = data.runsOf(first)?.run(Number(second));
        return run && JSON.stringify({ outputs: run.outputs, sources: run.sources } satisfies RunAnswer);
      }
      case 'hasNode':
        return data.hasNode(first);
      case 'isAncestor':
        return data.isAncestor(first);
      case 'parameters':
        return JSON.stringify(data.parametersOf(first));
      case 'context':
        return JSON.stringify(data.contextOf(first));
      case 'outputTowards':
        return data.outputTowards(first);
      case 'ancestor':
        return JSON.stringify(ancestor(lineage, first, Number(second), third));
      case 'hash':
        return nodePlatform.hash(first, String(second));
      default:
        return undefined;
    }
  };
  return answer as Ask;
}

function ancestor(lineage: Lineage, target: string, inputIndex: number, itemIndex: number): AncestorAnswer {
  try {
    const item = lineage.ancestorItem(target, inputIndex, itemIndex);
    return item ? { item } : {};
  } catch (error) {
    if (error instanceof ExpressionError) return { error: toExpressionErrorShape(error) };
    throw error;
  }
}
