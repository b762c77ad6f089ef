export type { Compiled, CompileOptions, Dialect, Start, StartRequest } from './dialect.ts';
export { n8n } from './n8n/n8n-dialect.ts';
export { executionView, nameSources, orderRuns, type ExecutionViewInput } from './n8n/run-data.ts';
