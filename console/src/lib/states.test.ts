import { describe, expect, it } from 'vitest';
import { cutDifference, indented } from './states';

const omitted = (channel: string, hash: string) => ({ channel, hash, size: 100_000, begin: '[' });

describe('cutDifference', () => {
  it('tells by their hashes whether large values differ', () => {
    const [a, b] = [omitted('large', 'a'), omitted('large', 'b')];
    expect(cutDifference({ state: { x: 1 }, omitted: [a] }, { state: { x: 1 }, omitted: [a] })).toEqual([]);
    expect(cutDifference({ state: {}, omitted: [a] }, { state: {}, omitted: [b] })).toEqual([{ channel: 'large', kind: 'changed', omitted: { before: a, after: b } }]);
  });

  it('knows values that became large, or were small', () => {
    const large = omitted('b', 'h');
    expect(cutDifference({ state: { b: [1] } }, { state: {}, omitted: [large] })).toEqual([{ channel: 'b', kind: 'changed', before: [1], after: undefined, omitted: { before: undefined, after: large } }]);
    expect(cutDifference({ state: { a: 1 }, omitted: [large] }, { state: { c: 1 } }).map((it) => [it.channel, it.kind])).toEqual([
      ['a', 'removed'],
      ['b', 'removed'],
      ['c', 'added'],
    ]);
    expect(cutDifference({ state: {} }, { state: {}, omitted: [large] })[0]).toMatchObject({ channel: 'b', kind: 'added' });
  });
});

describe('indented', () => {
  it('writes a whole value as JSON.stringify does', () => {
    for (const value of [{ a: [1, { b: 'x,{"]\\' }], c: {}, d: [] }, [], [[]], 1, null]) {
      expect(indented(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
    }
  });

  it('writes the beginning of one', () => {
    expect(indented('[{"id":1,"text":"wo')).toBe('[\n  {\n    "id": 1,\n    "text": "wo');
    expect(indented('["a\\')).toBe('[\n  "a\\');
  });

  it('shows a text as it is, up to where it was cut', () => {
    expect(indented('"one\\ntwo')).toBe('one\ntwo');
    expect(indented('"one\\u00')).toBe('one');
    expect(indented('"one\\')).toBe('one');
  });
});
