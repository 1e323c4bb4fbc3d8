import { describe, expect, it } from 'vitest';
import { difference } from './diff';

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
