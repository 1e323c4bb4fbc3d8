import { expect, it } from 'vitest';
import { howMany, readCounts, type NodeTasks } from './counts';

function node(name: string, superstep: number, statuses: Record<string, number>, more: Partial<NodeTasks> = {}): NodeTasks {
  const tasks = Object.values(statuses).reduce((sum, it) => sum + it, 0);
  return { node: name, superstep, tasks, statuses, newest: statuses, retried: 0, busy_ms: 10, longest_ms: 10, ...more };
}

it('adds up the answers of a long run, newest first', async () => {
  const asked: unknown[] = [];
  const counts = await readCounts((after, cursor) => {
    asked.push([after, cursor]);
    return Promise.resolve(
      cursor === undefined
        ? { superstep: 9, committed: [node('a', 9, { succeeded: 2 })], open: [node('b', 10, { running: 3 })], next_cursor: 'older' }
        : { superstep: 9, committed: [node('a', 1, { succeeded: 1, failed: 1 }, { longest_ms: 7, retried: 1, failed_task: '1:a', failed_code: 'x' })], open: [] },
    );
  });
  expect(asked).toEqual([[undefined, undefined], [undefined, 'older']]);
  expect(counts.committed.get('a')).toEqual({ node: 'a', superstep: 9, tasks: 4, statuses: { succeeded: 3, failed: 1 }, newest: { succeeded: 2 }, retried: 1, busy_ms: 20, longest_ms: 10, failed_task: '1:a', failed_code: 'x' });
  expect([howMany(counts), howMany(counts, 'b'), howMany(counts, 'a', 'failed'), howMany(counts, null, 'running')]).toEqual([7, 3, 1, 3]);
});

it('asks afterwards only for what has come since', async () => {
  const before = { superstep: 4, committed: new Map([['a', node('a', 4, { succeeded: 4 })], ['b', node('b', 2, { succeeded: 1 })]]), open: new Map([['a', node('a', 5, { running: 1 })]]) };
  const counts = await readCounts((after) => {
    expect(after).toBe(4);
    return Promise.resolve({ superstep: 5, committed: [node('a', 5, { succeeded: 1 })], open: [] });
  }, before);
  expect(counts.committed.get('a')).toMatchObject({ tasks: 5, superstep: 5, newest: { succeeded: 1 } });
  expect([howMany(counts), counts.open.size, counts.superstep]).toEqual([6, 0, 5]);
});
