import { expect, test } from 'vitest';
import { failure, provider, signInAddress, withoutFailure } from './session';

test('a page that names nobody offers nothing', () => {
  expect(provider).toBeUndefined();
});

test('why signing in failed is no part of the address one comes back to', () => {
  expect(failure('?sign_in=no_role&status=failed')).toBe('no_role');
  expect(failure('?status=failed')).toBeNull();
  expect(withoutFailure('?sign_in=no_role&status=failed')).toBe('?status=failed');
  expect(withoutFailure('?sign_in=no_role')).toBe('');
  history.replaceState(null, '', '/runs?graph=a%26b&sign_in=denied');
  expect(signInAddress()).toBe('/sign-in?to=%2Fruns%3Fgraph%3Da%2526b');
});
