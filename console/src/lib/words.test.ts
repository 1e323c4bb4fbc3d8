import { expect, it } from 'vitest';
import type { RunEvent } from './stream';
import { addDelta, type Words } from './words';

function delta(offset: number, text: string, superstep = 1) {
  return { type: 'message.delta', superstep, node: 'llm', data: { offset, text } } as unknown as RunEvent;
}

function of(textId: string, offset: number, piece: string, soFar = false) {
  const event = delta(offset, piece);
  return { ...event, data: { ...event.data, text_id: textId, ...(soFar && { so_far: true }) } };
}

function text(events: RunEvent[]) {
  const words = new Map<string, Words>();
  for (const event of events) addDelta(words, event);
  return words.get('1/llm/')?.text;
}

it('joins pieces, counts code points, and begins anew at offset 0', () => {
  expect(text([delta(0, 'a🙂'), delta(2, 'b')])).toBe('a🙂b');
  expect(text([delta(0, 'first try'), delta(0, 'sec'), delta(3, 'ond')])).toBe('second');
  expect(text([delta(0, 'a🙂bc'), delta(2, 'x')])).toBe('a🙂x');
});

it('shows that something is missing', () => {
  expect(text([delta(0, 'a'), delta(9, 'z'), delta(10, '!')])).toBe('a…z!');
});

it('shows the text so far to who comes in the middle, and once to who was there', () => {
  expect(text([of('t', 0, 'a🙂b', true), of('t', 3, 'c')])).toBe('a🙂bc');
  expect(text([of('t', 0, 'a🙂'), of('t', 0, 'a🙂b', true), of('t', 2, 'b'), of('t', 3, 'c')])).toBe('a🙂bc');
});

it('appends nothing to a text that is not its own', () => {
  expect(text([of('t', 0, 'first try'), of('u', 3, 'ond')])).toBe('…ond');
});

it('takes many pieces in a time that grows with their number', () => {
  const events = Array.from({ length: 50_000 }, (_, i) => delta(i, 'x'));
  const begun = performance.now();
  expect(text(events)).toHaveLength(50_000);
  expect(performance.now() - begun).toBeLessThan(2_000);
});
