import { describe, expect, it } from 'vitest';
import { difference, places } from './diff';

describe('difference', () => {
  it('names channels that were added, changed and removed', () => {
    expect(difference({ a: 1, b: [1], c: { x: 1 } }, { b: [1, 2], c: { x: 1 }, d: null })).toEqual([
      { channel: 'a', kind: 'removed', before: 1 },
      { channel: 'b', kind: 'changed', before: [1], after: [1, 2] },
      { channel: 'd', kind: 'added', after: null },
    ]);
  });

  it('does not mind the order of keys, but that of items', () => {
    expect(difference({ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } })).toEqual([]);
    expect(difference({ a: [1, 2] }, { a: [2, 1] })).toHaveLength(1);
    expect(difference({ a: [] }, { a: {} })).toHaveLength(1);
  });
});

describe('places', () => {
  it('points at what is different, and leaves out the rest', () => {
    expect(places({ a: [1, { x: 1, y: 2 }], 'b/c': 1, d: 0 }, { a: [1, { x: 1, y: 3 }, 4], 'b/c': [], e: null }, 10)).toEqual([
      { pointer: '/a/1/y', kind: 'changed', before: 2, after: 3 },
      { pointer: '/a/2', kind: 'added', after: 4 },
      { pointer: '/b~1c', kind: 'changed', before: 1, after: [] },
      { pointer: '/d', kind: 'removed', before: 0 },
      { pointer: '/e', kind: 'added', after: null },
    ]);
    expect(places('a', 'b', 10)).toEqual([{ pointer: '', kind: 'changed', before: 'a', after: 'b' }]);
    expect(places({ a: 1 }, { a: 1 }, 10)).toEqual([]);
  });

  it('stops at as many as are wanted', () => {
    expect(places([], Array.from({ length: 1_000 }, (_, i) => i), 3).map((it) => it.pointer)).toEqual(['/0', '/1', '/2']);
  });
});
