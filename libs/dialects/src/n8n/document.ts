import type { JsonObject } from '@app/engine';

/** A node of an n8n document, after reading: clean types, everything else as it was. */
export interface DocumentNode {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly typeVersion: number;
  readonly position: readonly [number, number];
  readonly parameters: JsonObject;
  readonly disabled: boolean;
  readonly executeOnce: boolean;
  readonly alwaysOutputData: boolean;
  readonly retryOnFail: boolean;
  readonly maxTries: number | undefined;
  readonly waitBetweenTries: number | undefined;
  readonly onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
  readonly credentials: JsonObject | undefined;
  readonly webhookId: string | undefined;
  /** Index in the document's list. */
  readonly at: number;
}

export interface DocumentEdge {
  readonly source: string;
  readonly output: number;
  readonly type: string;
  readonly target: string;
  readonly input: number;
  /** JSON path of the connection. */
  readonly path: string;
}

export interface WorkflowDocument {
  readonly name: string;
  readonly nodes: readonly DocumentNode[];
  readonly edges: readonly DocumentEdge[];
  readonly settings: JsonObject;
  readonly pinData: JsonObject;
}
