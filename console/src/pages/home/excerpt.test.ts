import { expect, it } from 'vitest';
import { excerpt } from './excerpt';

it('shows in one line what is asked', () => {
  expect(excerpt({ payload: 'Publish\nthis?', reason: 'human_input' })).toBe('Publish this?');
  expect(excerpt({ payload: { draft: 'x' }, reason: 'human_input' })).toBe('{"draft":"x"}');
});

it('cuts what is long, and names the reason where nothing is asked', () => {
  expect(excerpt({ payload: 'a'.repeat(500), reason: 'r' })).toHaveLength(160);
  expect(excerpt({ payload: null, reason: 'human_input' })).toBe('human_input');
});
