import { describe, expect, it } from 'vitest';
import { pathOf, readPath, removePath, writePath } from './path.ts';

describe('pathOf', () => {
  it.each([
    ['a', ['a']],
    ['a.b.c', ['a', 'b', 'c']],
    ['a[0].b', ['a', '0', 'b']],
    [`a["b c"]['d']`, ['a', 'b c', 'd']],
  ])('splits %s', (text, segments) => {
    expect(pathOf(text)).toEqual(segments);
  });
});

describe('readPath', () => {
  it('follows objects and lists', () => {
    expect(readPath({ a: [{ b: 1 }] }, 'a[0].b')).toBe(1);
  });

  it('prefers a key that exists literally', () => {
    expect(readPath({ 'a.b': 'flat', a: { b: 'deep' } }, 'a.b')).toBe('flat');
  });

  it('takes the name literally when dots are off', () => {
    expect(readPath({ a: { b: 1 } }, 'a.b', false)).toBeUndefined();
  });

  it('does not reach prototypes', () => {
    expect(readPath({ a: {} }, 'a.constructor.name')).toBeUndefined();
  });
});

describe('writePath', () => {
  it('leaves out some elements of a list, and not millions', () => {
    const target: { a?: unknown[] } = {};
    writePath(target as never, 'a[3]', 'v');
    expect(target.a).toHaveLength(4);
    for (const name of ['a[999999999]', 'a.20000', 'b[4294967294].c']) expect(() => writePath(target as never, name, 'v'), name).toThrow(/At most 10000 may be left out/);
    writePath(target as never, 'o.x', 1);
    writePath(target as never, 'o.999999999', 1);
    expect(target).toMatchObject({ o: { x: 1, 999999999: 1 } });
  });

  it('creates objects, and lists before numbers', () => {
    const target = {};
    writePath(target, 'meta.x.0', 'v');
    expect(target).toEqual({ meta: { x: ['v'] } });
  });

  it('leaves containers shared with others unchanged', () => {
    const shared = { city: 'Oslo' };
    const target = { address: shared };
    writePath(target, 'address.city', 'Rome');
    expect(target).toEqual({ address: { city: 'Rome' } });
    expect(shared).toEqual({ city: 'Oslo' });
  });

  it('refuses to write through a prototype', () => {
    writePath({}, '__proto__.polluted', true);
    writePath({}, 'constructor.prototype.polluted', true);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('removePath', () => {
  it('removes a nested value without touching the original container', () => {
    const inner = { a: 1, b: 2 };
    const target = { o: inner };
    removePath(target, 'o.a');
    expect(target).toEqual({ o: { b: 2 } });
    expect(inner).toEqual({ a: 1, b: 2 });
  });

  it('does nothing when the path leads nowhere', () => {
    const target = { a: 1 };
    removePath(target, 'x.y');
    expect(target).toEqual({ a: 1 });
  });
});
