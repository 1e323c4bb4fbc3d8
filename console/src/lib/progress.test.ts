import { expect, it } from 'vitest';
import { nodeRows, nodeStates } from './progress';
import type { RunTask } from './tasks';

function task(node: string, superstep: number, status: string, more: Partial<RunTask> = {}) {
  return { node, superstep, status, attempts: 1, ...more } as RunTask;
}

const tasks = [task('a', 3, 'succeeded'), task('w', 2, 'succeeded'), task('w', 2, 'running'), task('w', 2, 'failed'), task('q', 2, 'interrupted'), task('a', 1, 'failed')];

it('counts the tasks of the last superstep of a node, and shows the worst of them', () => {
  expect(nodeStates(tasks, 1)).toEqual({
    a: { status: 'held', count: 1, done: 1 },
    w: { status: 'failed', count: 3, done: 1 },
    q: { status: 'waiting', count: 1, done: 0 },
  });
});

it('holds a node that is done in a superstep that has not committed', () => {
  expect(nodeStates([task('a', 2, 'succeeded'), task('b', 2, 'running'), task('a', 1, 'succeeded')], 1)).toEqual({
    a: { status: 'held', count: 1, done: 1 },
    b: { status: 'active', count: 1, done: 0 },
  });
});

it('adds up tasks, attempts, time and tokens of each node', () => {
  const at = (s: number) => new Date(s * 1_000).toISOString();
  const spent = { node: 'llm', model_calls: 2, input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  const rows = nodeRows(
    ['start', 'llm'],
    [
      task('llm', 2, 'succeeded', { started_at: at(3), finished_at: at(7), attempts: 3 }),
      task('llm', 1, 'handled', { started_at: at(1), finished_at: at(3), error: { code: 'x', message: 'y' } }),
    ],
    2,
    [spent, { ...spent, node: '__compact__:messages' }],
  );
  expect(rows.map((row) => row.node)).toEqual(['start', 'llm', '__compact__:messages']);
  expect(rows[0]).toMatchObject({ state: { status: 'idle' }, tasks: 0 });
  expect(rows[1]).toMatchObject({ tasks: 2, retried: 1, busyMs: 6_000, longestMs: 4_000, usage: spent, failed: { superstep: 1 } });
});
