import { expect, it } from 'vitest';
import type { Schemas } from '../api/client';
import { nodeStates } from './progress';

function task(node: string, superstep: number, status: string) {
  return { node, superstep, status } as Schemas['Task'];
}

it('counts the tasks of the last superstep of a node, and shows the worst of them', () => {
  expect(
    nodeStates([task('a', 1, 'failed'), task('a', 3, 'succeeded'), task('w', 2, 'succeeded'), task('w', 2, 'running'), task('w', 2, 'failed'), task('q', 2, 'interrupted')]),
  ).toEqual({
    a: { status: 'done', count: 1, done: 1 },
    w: { status: 'failed', count: 3, done: 1 },
    q: { status: 'waiting', count: 1, done: 0 },
  });
});
