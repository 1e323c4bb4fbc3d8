import { expect, it } from 'vitest';
import { lacking, offers } from './server';

it('offers what the key may do, and nothing before that is known', () => {
  expect(offers('run', ['read', 'run'], false)).toBe(true);
  expect(offers('author', ['read', 'run'], false)).toBe(false);
  expect(offers('read', undefined, false)).toBe(false);
});

it('leaves it to the server if the server does not tell', () => {
  expect(offers('author', undefined, true)).toBe(true);
});

it('knows what a key lacks', () => {
  expect(lacking(['read'])).toEqual(['run', 'answer', 'author', 'operate', 'admin']);
  expect(lacking(['admin', 'operate', 'author', 'answer', 'run', 'read'])).toEqual([]);
});
