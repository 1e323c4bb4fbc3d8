import { expect, it } from 'vitest';
import type { Counts, NodeTasks } from './counts';
import { fold, liveRun } from './live';
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

const counted = (node: string, superstep: number, newest: Record<string, number>, more: Partial<NodeTasks> = {}): NodeTasks => ({
  node,
  superstep,
  tasks: Object.values(newest).reduce((sum, it) => sum + it, 0),
  statuses: newest,
  newest,
  retried: 0,
  busy_ms: 0,
  longest_ms: 0,
  ...more,
});
const counts = (superstep: number, committed: NodeTasks[], open: NodeTasks[] = []): Counts => ({ superstep, committed: new Map(committed.map((it) => [it.node, it])), open: new Map(open.map((it) => [it.node, it])) });

it('shows what the service has counted, however many tasks are listed', () => {
  const spent = { node: 'llm', model_calls: 2, input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  const llm = counted('llm', 2, { succeeded: 9_999, handled: 1 }, { tasks: 10_003, retried: 1, busy_ms: 6_000, longest_ms: 4_000, failed_task: '2:llm:x', failed_code: 'y' });
  const rows = nodeRows(['start', 'llm', 'never'], counts(3, [llm, counted('start', 1, { succeeded: 1 })]), liveRun(), [spent, { ...spent, node: '__compact__:messages' }]);
  expect(rows.map((row) => row.node)).toEqual(['start', 'llm', 'never', '__compact__:messages']);
  expect(rows.map((row) => row.state)).toEqual([{ status: 'done', count: 1, done: 1 }, { status: 'done', count: 10_000, done: 10_000 }, { status: 'idle' }, { status: 'idle' }]);
  expect(rows[1]).toMatchObject({ tasks: 10_003, retried: 1, busyMs: 6_000, longestMs: 4_000, usage: spent, failed: { task: '2:llm:x', code: 'y' } });
});

it('says nothing of nodes while nothing is known of them', () => {
  expect(nodeRows(['a'], undefined, liveRun(), [])).toEqual([{ node: 'a', tasks: 0, retried: 0, busyMs: 0, longestMs: 0 }]);
});

it('shows of the superstep under way what the stream knows before it is stored', () => {
  const live = liveRun();
  const event = (type: string, dispatch: string) => fold(live, { type, run_id: 'r', at: '2026-01-01T00:00:00Z', superstep: 3, node: 'w', dispatch_id: dispatch, data: { attempt: 1 } });
  event('task.started', 'a');
  event('task.succeeded', 'b');
  event('task.succeeded', 'c');
  const under = counts(2, [counted('w', 1, { succeeded: 7 })], [counted('w', 3, { running: 4, succeeded: 1 }), counted('q', 3, { interrupted: 1 }), counted('h', 3, { succeeded: 2 })]);
  const [w, q, h] = nodeRows(['w', 'q', 'h'], under, live, []);
  expect(w).toMatchObject({ tasks: 12, state: { status: 'active', count: 5, done: 2 } });
  expect(q?.state).toEqual({ status: 'waiting', count: 1, done: 0 });
  expect(h?.state).toEqual({ status: 'held', count: 2, done: 2 });
  fold(live, { type: 'superstep.committed', run_id: 'r', at: '2026-01-01T00:00:00Z', superstep: 3, data: {} });
  expect(nodeRows(['w'], under, live, [])[0]?.state, 'committed, and not counted yet').toEqual({ status: 'done', count: 5, done: 5 });
});

it('shows a failure that has ended the run', () => {
  expect(nodeRows(['a'], counts(1, [counted('a', 1, { failed: 1, succeeded: 2 })]), liveRun(), [])[0]?.state).toEqual({ status: 'failed', count: 3, done: 2 });
});

it('calls a node cancelled only if none of its tasks has ended otherwise', () => {
  const rest = { succeeded: 2, cancelled: 3 };
  const [open, settled, none] = nodeRows(['a', 'b', 'c'], counts(1, [counted('b', 1, rest), counted('c', 1, { cancelled: 2 })], [counted('a', 2, rest)]), liveRun(), []);
  expect(open?.state).toEqual({ status: 'held', count: 5, done: 2 });
  expect(settled?.state).toEqual({ status: 'done', count: 5, done: 2 });
  expect(none?.state).toEqual({ status: 'cancelled', count: 2, done: 0 });
  expect(nodeStates([task('a', 1, 'cancelled'), task('a', 1, 'succeeded'), task('c', 1, 'cancelled')], 1)).toEqual({
    a: { status: 'done', count: 2, done: 1 },
    c: { status: 'cancelled', count: 1, done: 0 },
  });
});

it('shows what the stream tells of those that are not needed any more', () => {
  const live = liveRun();
  const event = (type: string, dispatch: string) => fold(live, { type, run_id: 'r', at: '2026-01-01T00:00:00Z', superstep: 3, node: 'w', dispatch_id: dispatch, data: { attempt: 1 } });
  event('task.succeeded', 'a');
  event('task.cancelled', 'b');
  expect(nodeRows(['w'], counts(2, []), live, [])[0]?.state).toEqual({ status: 'held', count: 2, done: 1 });
  event('task.started', 'c');
  expect(nodeRows(['w'], counts(2, []), live, [])[0]?.state).toEqual({ status: 'active', count: 3, done: 1 });
});
