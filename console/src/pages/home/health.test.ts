import { expect, it } from 'vitest';
import { ApiError } from '../../api/client';
import { health } from './health';

const server = { cell: 0, time: '2026-01-31T12:00:00Z', ready: true, database_reachable: true, scopes: [] };

it('says what is wrong, the worst first', () => {
  expect(health(server, null)?.text).toBe('healthy');
  expect(health({ ...server, ready: false }, null)?.text).toBe('takes on no runs now');
  expect(health({ ...server, ready: false, database_reachable: false }, null)?.text).toBe('does not reach its database');
  expect(health(server, new TypeError('no network'))?.text, 'what it said before no longer counts').toBe('does not answer');
});

it('says nothing of what it does not know', () => {
  expect(health(undefined, null)).toBeUndefined();
  expect(health(undefined, new ApiError(403, {}))).toBeUndefined();
});
