import { expect, it } from 'vitest';
import { instant, local, search } from './search';

it('reads an address', () => {
  const found = search(new URLSearchParams('graph=a&status=failed&status=queued&status=dancing&metadata=k:v&created_after=2026-01-31T12:00:00Z&created_before=2026-02-01T00:00:00Z'));
  expect(found).toEqual({
    graph: 'a',
    thread_id: undefined,
    error_code: undefined,
    metadata: ['k:v'],
    status: ['failed', 'queued'],
    created_after: '2026-01-31T12:00:00.000Z',
    created_before: '2026-02-01T00:00:00.000Z',
  });
});

it('leaves out times that are none', () => {
  expect(search(new URLSearchParams('created_after=yesterday&created_before='))).toMatchObject({ created_after: undefined, created_before: undefined });
});

it('shows a time of the own place, and reads it back', () => {
  const shown = local('2026-01-31T12:34:56Z');
  expect(shown).toMatch(/^2026-0[12]-\d\dT\d\d:\d\d$/);
  expect(instant(shown)).toBe('2026-01-31T12:34:00.000Z');
  expect(local(null)).toBe('');
  expect(local('soon')).toBe('');
  expect(instant('')).toBeUndefined();
});
