import { describe, expect, it } from 'vitest';
import { preview, rowStarts, sizeOf } from './size';

const value = { a: [1, 'two', null, { b: true, c: [] }], d: {}, 'e"': 'x\ny' };

describe('preview', () => {
  it('is the beginning of what JSON.stringify writes', () => {
    const text = JSON.stringify(value, null, 2);
    for (let max = 0; max <= text.length + 1; max++) {
      expect(preview(value, max), `${max}`).toEqual({ text: text.slice(0, max), whole: text.length <= max });
    }
  });

  it('shows strings as they are, and leaves out what is undefined', () => {
    expect(preview('a\nb', 10)).toEqual({ text: 'a\nb', whole: true });
    expect(preview({ a: undefined }, 10)).toEqual({ text: '{}', whole: true });
    expect(preview(undefined, 10)).toEqual({ text: 'null', whole: true });
  });

  it('does not read what it does not show', () => {
    const reads = { count: 0 };
    const items = Array.from({ length: 10_000 }, () => ({ get it() { return ++reads.count; } }));
    expect(preview(items, 200).whole).toBe(false);
    expect(reads.count).toBeLessThan(100);
  });
});

it('counts until the limit, whatever the form', () => {
  expect(sizeOf(value, 1_000)).toBeLessThan(1_000);
  expect(sizeOf('x'.repeat(50), 10)).toBeGreaterThan(10);
  expect(sizeOf(Array.from({ length: 100_000 }, () => 1), 1_000)).toBeGreaterThan(1_000);
  expect(sizeOf({ a: { b: 'x'.repeat(2_000) } }, 1_000)).toBeGreaterThan(1_000);
});

it('cuts a text into rows, and long lines into several', () => {
  const text = 'ab\n\nabcdefgh\n';
  const starts = rowStarts(text, 3, 100);
  const rows = [...starts].map((start, i) => text.slice(start, starts[i + 1] ?? text.length).replace('\n', ''));
  expect(rows).toEqual(['ab', '', 'abc', 'def', 'gh', '']);
  expect(rowStarts(text, 3, 2)).toHaveLength(2);
});
