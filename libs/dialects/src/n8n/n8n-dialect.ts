import type { Dialect } from '../dialect.ts';
import { compile } from './compile.ts';
import { isRecord } from './read.ts';
import { start } from './start.ts';

export const n8n: Dialect = {
  name: 'n8n',
  recognise: (document) => isRecord(document) && Array.isArray(document['nodes']) && (document['connections'] === undefined || isRecord(document['connections'])),
  compile,
  start,
};
