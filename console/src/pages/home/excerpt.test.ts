import { expect, it } from 'vitest';
import { newestFirst } from './excerpt';

it('puts the newest first', () => {
  const at = (created_at: string) => ({ created_at });
  const found = newestFirst([at('2026-01-01T00:00:00Z'), at('2026-01-03T00:00:00.5Z'), at('2026-01-03T00:00:00Z')]);
  expect(found.map((it) => it.created_at)).toEqual(['2026-01-03T00:00:00.5Z', '2026-01-03T00:00:00Z', '2026-01-01T00:00:00Z']);
});
