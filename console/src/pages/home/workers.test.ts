import { expect, it } from 'vitest';
import { names } from './Workers';

const claimed = (name: string | undefined, tasks: number) => ({ name, tasks, last_claim: '2026-01-01T00:00:00Z' });

it('says who has how many tasks', () => {
  expect(names([claimed('shop-7', 3), claimed(undefined, 1)])).toBe('shop-7 (3), without a name (1)');
});

it('names the last five', () => {
  expect(names(Array.from({ length: 8 }, (_, i) => claimed(`w${i}`, 1)))).toBe('w0 (1), w1 (1), w2 (1), w3 (1), w4 (1), and 3 more');
});
