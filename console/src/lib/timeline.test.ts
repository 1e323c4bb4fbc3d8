import { expect, it } from 'vitest';
import type { Schemas } from '../api/client';
import { bars } from './timeline';

function task(started_at?: string, finished_at?: string) {
  return { started_at, finished_at } as Schemas['Task'];
}

it('places tasks between the first start and the last end', () => {
  const at = (s: number) => new Date(s * 1_000).toISOString();
  const drawn = bars([task(at(10), at(20)), task(at(15), at(20)), task(at(18)), task()], 30_000);
  expect(drawn.bars.map(({ left, width }) => [left, width])).toEqual([
    [0, 0.5],
    [0.25, 0.25],
    [0.4, 0.6],
  ]);
  expect(bars([], 5).bars).toEqual([]);
});
