import { expect, it } from 'vitest';
import { excerpt, newestFirst } from './excerpt';

it('shows in one line what is asked', () => {
  expect(excerpt({ payload: 'Publish\nthis?', reason: 'human_input' })).toBe('Publish this?');
  expect(excerpt({ payload: { draft: 'x' }, reason: 'human_input' })).toBe('{"draft":"x"}');
  expect(excerpt({ payload: { draft: 'x', question: 'Publish this?' }, reason: 'human_input' })).toBe('Publish this?');
});

it('cuts what is long, and names the reason where nothing is asked', () => {
  expect(excerpt({ payload: 'a'.repeat(500), reason: 'r' })).toHaveLength(160);
  expect(excerpt({ payload: null, reason: 'human_input' })).toBe('human_input');
});

it('puts the newest first', () => {
  const at = (created_at: string) => ({ created_at });
  const found = newestFirst([at('2026-01-01T00:00:00Z'), at('2026-01-03T00:00:00.5Z'), at('2026-01-03T00:00:00Z')]);
  expect(found.map((it) => it.created_at)).toEqual(['2026-01-03T00:00:00.5Z', '2026-01-03T00:00:00Z', '2026-01-01T00:00:00Z']);
});
