import { describe, expect, it } from 'vitest';
import { describeNode } from '../description.ts';
import { atLeast, choice, entries, flag, groups, number, settings, text, when } from './properties.ts';
import { missingRequired, normaliseParameters } from './resolve-properties.ts';

const description = describeNode({
  name: 'sample',
  displayName: 'Sample',
  versions: [1, 2],
  properties: [
    choice('mode', 'plain', ['plain', 'special']),
    { ...text('target', '', when({ mode: ['special'] })), required: true },
    number('size', 10, when({ '@version': [1] })),
    number('size', 1, when({ '@version': [atLeast(2)] })),
    entries('rows', 'row', [text('name'), choice('order', 'up', ['up', 'down']), { ...text('by', '', when({ order: ['down'] })), required: true }]),
    settings([flag('dots', true), groups('retry', { times: [number('count', 3)] }), text('only', '', when({ '/mode': ['special'] }))]),
  ],
});

const normalise = (parameters: Parameters<typeof normaliseParameters>[1]['parameters'], version = 2): unknown =>
  normaliseParameters(description, { version, parameters });

describe('normaliseParameters', () => {
  it('fills in defaults', () => {
    expect(normalise({})).toEqual({ mode: 'plain', size: 1, rows: {}, options: {} });
  });

  it('takes the default of the property that the version shows', () => {
    expect(normalise({}, 1)).toMatchObject({ size: 10 });
  });

  it('drops what is not shown and what nobody knows', () => {
    expect(normalise({ target: 'x', junk: 1 })).not.toHaveProperty('target');
    expect(normalise({ target: 'x', junk: 1 })).not.toHaveProperty('junk');
    expect(normalise({ mode: 'special', target: 'x' })).toMatchObject({ target: 'x' });
  });

  it('keeps a parameter when the value that decides about it is an expression', () => {
    expect(normalise({ mode: '={{ $json.m }}', target: 'x' })).toMatchObject({ target: 'x' });
  });

  it('fills entries of a list one by one, with their own display rules', () => {
    expect(normalise({ rows: { row: [{ name: 'a' }, { name: 'b', order: 'down', by: 'c' }, { by: 'gone' }] } })).toMatchObject({
      rows: { row: [{ name: 'a', order: 'up' }, { name: 'b', order: 'down', by: 'c' }, { name: '', order: 'up' }] },
    });
  });

  it('adds no defaults to optional settings, but to groups inside them', () => {
    expect(normalise({ options: { retry: { times: {} } } })).toMatchObject({ options: { retry: { times: { count: 3 } } } });
    expect(normalise({ options: {} })).toMatchObject({ options: {} });
  });

  it('follows keys from the root inside settings', () => {
    expect(normalise({ options: { only: 'x' } })).toMatchObject({ options: {} });
    expect(normalise({ mode: 'special', options: { only: 'x' } })).toMatchObject({ options: { only: 'x' } });
  });

  it('survives values of the wrong shape', () => {
    expect(normalise({ rows: 'none', options: ['x'] })).toMatchObject({ rows: 'none', options: ['x'] });
    expect(normalise({ rows: { row: [1, null] } })).toMatchObject({ rows: { row: [1, null] } });
  });

  it('gives the same again for its own result', () => {
    const once = normaliseParameters(description, { version: 2, parameters: { mode: 'special', rows: { row: [{ name: 'a' }] } } });
    expect(normaliseParameters(description, { version: 2, parameters: once })).toEqual(once);
  });
});

describe('missingRequired', () => {
  const missing = (parameters: Parameters<typeof normaliseParameters>[1]['parameters']): string[] =>
    missingRequired(description, { version: 2, parameters }).map(({ property }) => property);

  it('names required parameters that are shown and empty', () => {
    expect(missing({ mode: 'special' })).toEqual(['target']);
    expect(missing({ mode: 'special', target: '' })).toEqual(['target']);
    expect(missing({})).toEqual([]);
  });

  it('counts expressions as given', () => {
    expect(missing({ mode: 'special', target: '={{ $json.t }}' })).toEqual([]);
  });

  it('looks into the entries of lists', () => {
    expect(missing({ rows: { row: [{ name: 'a' }, { order: 'down' }] } })).toEqual(['rows.row[1].by']);
  });

  it('sees through resource locators', () => {
    expect(missing({ mode: 'special', target: { __rl: true, mode: 'id', value: '' } })).toEqual(['target']);
    expect(missing({ mode: 'special', target: { __rl: true, mode: 'id', value: '7' } })).toEqual([]);
  });
});
