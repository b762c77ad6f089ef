import type { Item } from '@app/engine';
import type { ExecutionData, Platform } from '../execution-data.ts';
import type { Evaluation } from '../language/evaluation.ts';
import { dateClassAt } from './date-class.ts';
import { Lineage } from './lineage.ts';
import { dateTimeAt } from './zoned-luxon.ts';

/** Finds the item of a node that an item of an input descends from. */
export interface Ancestry {
  ancestorItem(target: string, inputIndex: number, itemIndex: number): Item | undefined;
}

/** What the evaluations of one activation share. */
export class View {
  readonly data: ExecutionData;
  readonly platform: Platform;
  readonly zone: string;
  /** Which input `$json` and `$input` read. */
  readonly inputIndex: number;
  readonly items: readonly Item[];
  /** Resolves a template for the item of an evaluation; set by whoever can compile. */
  readonly evaluateText: (text: string, evaluation: Evaluation) => unknown;
  #lineage: Ancestry | undefined;
  #date: DateConstructor | undefined;
  #dateTime: object | undefined;

  constructor(
    data: ExecutionData,
    platform: Platform,
    evaluateText: (text: string, evaluation: Evaluation) => unknown,
    lineage?: Ancestry,
  ) {
    this.data = data;
    this.platform = platform;
    this.evaluateText = evaluateText;
    this.#lineage = lineage;
    this.zone = data.workflow.timezone || 'UTC';
    this.inputIndex = data.currentInput ?? firstWithItems(data.inputs);
    this.items = data.inputs[this.inputIndex] ?? [];
  }

  get lineage(): Ancestry {
    return (this.#lineage ??= new Lineage(this.data));
  }

  /** luxon's DateTime in the zone and at the moment of the activation. */
  get dateTime(): object {
    return (this.#dateTime ??= dateTimeAt(this.zone, this.data.now));
  }

  get date(): DateConstructor {
    return (this.#date ??= dateClassAt(this.data.now));
  }
}

function firstWithItems(inputs: ExecutionData['inputs']): number {
  const index = inputs.findIndex((items) => items !== null && items.length > 0);
  return index === -1 ? 0 : index;
}
