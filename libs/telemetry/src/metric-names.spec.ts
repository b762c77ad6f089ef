import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { metrics } from './metric-names.ts';

const sources = ['libs', 'apps']
  .flatMap((folder) => readdirSync(resolve(folder), { recursive: true, encoding: 'utf8' }).map((file) => join(resolve(folder), file)))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.includes('node_modules') && !file.includes('generated') && !file.endsWith('metric-names.ts'));
const text = sources.map((file) => readFileSync(file, 'utf8')).join('\n');

describe('the metrics that dashboards are written against', () => {
  it.each(Object.keys(metrics))('%s is measured somewhere', (name) => {
    expect(text.includes(`'${name}'`)).toBe(true);
  });
});
