import { expect, it } from 'vitest';
import { fold, liveRun } from './live';
import type { RunEvent } from './stream';

function event(type: string, superstep?: number, more: Partial<RunEvent> = {}): RunEvent {
  return { type, superstep, run_id: 'r', at: '2026-01-01T00:00:00Z', node: type.startsWith('task') ? 'work' : undefined, data: {}, ...more };
}

function after(...events: RunEvent[]) {
  const run = liveRun();
  for (const it of events) fold(run, it);
  return run;
}

const doing = (run: ReturnType<typeof after>) => [...run.tasks].map(([id, task]) => [id, task.doing, task.attempt]);

it('follows a task from its start over its retries to its hold', () => {
  const started = event('task.started', 2, { dispatch_id: 'd-1', data: { attempt: 1 } });
  const retrying = event('task.retrying', 2, { dispatch_id: 'd-1', data: { attempt: 1 } });
  const done = event('task.succeeded', 2, { dispatch_id: 'd-1', data: { attempt: 2 } });
  expect(doing(after(started))).toEqual([['2:work:d-1', 'running', 1]]);
  expect(doing(after(started, retrying))).toEqual([['2:work:d-1', 'retrying', 1]]);
  expect(doing(after(started, retrying, done))).toEqual([['2:work:d-1', 'held', 2]]);
  expect(doing(after(started, event('task.cancelled', 2, { dispatch_id: 'd-1' })))).toEqual([['2:work:d-1', 'cancelled', 1]]);
  expect(doing(after(started, event('task.failed', 2, { dispatch_id: 'd-1' })))).toEqual([['2:work:d-1', 'failed', 1]]);
});

it('drops the words of what is committed, the tasks before it, and what comes late', () => {
  const delta = (superstep: number) => event('message.delta', superstep, { node: 'llm', data: { offset: 0, text: 'x' } });
  const run = after(event('task.started', 1), delta(1), event('superstep.committed', 1, { seq: 3 }), event('task.started', 2), delta(2), event('task.started', 3), delta(3), event('superstep.committed', 2, { seq: 4 }), event('task.started', 1), delta(1));
  expect(run.committed).toBe(2);
  expect(run.lastSeq).toBe(4);
  expect([...run.tasks.keys()]).toEqual(['2:work', '3:work']);
  expect([...run.words.keys()]).toEqual(['3/llm/']);
});

it('forgets at a takeover what was under way, but not what is held', () => {
  const run = after(event('task.started', 1, { dispatch_id: 'a' }), event('task.succeeded', 1, { dispatch_id: 'b' }), event('task.cancelled', 1, { dispatch_id: 'c' }), event('run.taken_over'));
  expect([...run.tasks.keys()]).toEqual(['1:work:b']);
});
