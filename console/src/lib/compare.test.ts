import { expect, it } from 'vitest';
import { paths, usagePairs } from './compare';
import type { RunTask } from './tasks';

const task = (superstep: number, node: string) => ({ superstep, node }) as RunTask;

it('puts the nodes of two runs beside each other by superstep, whatever the order of their tasks', () => {
  expect(paths([task(2, 'work'), task(2, 'check'), task(2, 'work'), task(1, 'plan')], [task(3, 'end'), task(2, 'check'), task(2, 'work'), task(2, 'work'), task(1, 'skip')])).toEqual([
    { superstep: 1, one: ['plan'], other: ['skip'], same: false },
    { superstep: 2, one: ['check', 'work ×2'], other: ['check', 'work ×2'], same: true },
    { superstep: 3, one: [], other: ['end'], same: false },
  ]);
});

it('pairs what nodes have spent', () => {
  const spent = (node: string) => ({ node, model_calls: 1, input_tokens: 1, output_tokens: 1, total_tokens: 2 });
  expect(usagePairs([spent('b'), spent('a')], [spent('c'), spent('a')]).map(({ node, one, other }) => [node, !!one, !!other])).toEqual([
    ['a', true, true],
    ['b', true, false],
    ['c', false, true],
  ]);
});
