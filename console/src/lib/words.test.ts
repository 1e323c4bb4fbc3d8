import { expect, it } from 'vitest';
import type { RunEvent } from './stream';
import { addWords } from './words';

function delta(offset: number, text: string, superstep = 1) {
  return { type: 'message.delta', superstep, node: 'llm', data: { offset, text } } as unknown as RunEvent;
}

function text(events: RunEvent[]) {
  return Object.values(addWords({}, events))[0]?.text;
}

it('joins pieces, counts code points, and begins anew at offset 0', () => {
  expect(text([delta(0, 'a🙂'), delta(2, 'b')])).toBe('a🙂b');
  expect(text([delta(0, 'first try'), delta(0, 'sec'), delta(3, 'ond')])).toBe('second');
});

it('shows that something is missing', () => {
  expect(text([delta(0, 'a'), delta(9, 'z')])).toBe('a…z');
});

it('drops the words of a committed superstep', () => {
  const commit = { type: 'superstep.committed', superstep: 1, data: {} } as unknown as RunEvent;
  expect(Object.keys(addWords({}, [delta(0, 'a', 1), delta(0, 'b', 2), commit]))).toEqual(['2/llm/']);
});
