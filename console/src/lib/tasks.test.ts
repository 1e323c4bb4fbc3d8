import { describe, expect, it } from 'vitest';
import type { Schemas } from '../api/client';
import { fold, liveRun } from './live';
import { doing, readTasks, slim, withLive, type RunTask } from './tasks';

function task(superstep: number, status: RunTask['status'] = 'succeeded', dispatch = 'd'): Schemas['Task'] {
  return { task_id: `${superstep}:work:${dispatch}`, superstep, node: 'work', dispatch_id: dispatch, attempts: 1, idempotency_key: '', status };
}

/** Pages over tasks as the API lists them, newest superstep first; counts how many are asked for. */
function api(all: Schemas['Task'][]) {
  const asked = { pages: 0 };
  const page = (limit: number, cursor = '0') => {
    asked.pages++;
    const at = Number(cursor);
    return Promise.resolve({ items: all.slice(at, at + limit), next_cursor: at + limit < all.length ? `${at + limit}` : undefined });
  };
  return { page, asked };
}

const descending = (count: number) => Array.from({ length: count }, (_, i) => task(count - i));

describe('readTasks', () => {
  it('reads all, and tells after the first page what it has', async () => {
    const told: number[] = [];
    const book = await readTasks(api(descending(700)).page, 700, undefined, (it) => told.push(it.tasks.length));
    expect(book.tasks).toHaveLength(700);
    expect(book).toMatchObject({ settled: 699, complete: true, more: false });
    expect(told[0]).toBe(50);
  });

  it('reads pages as large as they may be, but for the first', async () => {
    const { page, asked } = api(descending(5_000));
    await readTasks(page, 5_000, undefined, () => {}, 2_000);
    expect(asked.pages).toBe(4);
  });

  it('reads afterwards only what was not settled', async () => {
    const before = await readTasks(api([task(701, 'running'), ...descending(700)]).page, 700, undefined);
    const { page, asked } = api([task(702, 'running'), task(701, 'failed'), ...descending(700)]);
    const book = await readTasks(page, 701, before);
    expect(asked.pages).toBe(1);
    expect(book.tasks).toHaveLength(702);
    expect(book.tasks.slice(0, 3).map((it) => [it.superstep, it.status])).toEqual([[702, 'running'], [701, 'failed'], [700, 'succeeded']]);
    expect(book.settled).toBe(701);
  });

  it('reads the newest superstep again, however far the run says it is', async () => {
    const before = await readTasks(api([task(3, 'succeeded', 'a'), task(2)]).page, 9, undefined);
    const book = await readTasks(api([task(3, 'succeeded', 'a'), task(3, 'succeeded', 'b'), task(2)]).page, 9, before);
    expect(book.tasks.map((it) => it.task_id)).toEqual(['3:work:a', '3:work:b', '2:work:d']);
  });

  it('stops at ten thousand, and says that there are more', async () => {
    const all = descending(10_500);
    const book = await readTasks(api(all).page, 10_500, undefined);
    expect(book.tasks).toHaveLength(10_000);
    expect(book.more).toBe(true);
    const later = await readTasks(api([task(10_501), ...all]).page, 10_501, book);
    expect(later.tasks).toHaveLength(10_000);
    expect(later.tasks[0]?.superstep).toBe(10_501);
    expect(later.more).toBe(true);
  });
});

describe('slim', () => {
  it('keeps what a task did with tools, and drops what may be large', () => {
    const calls = [{ id: 'c', name: 'look', arguments: {} }];
    const kept = slim({ ...task(1), input: { a: 1 }, change: { update: { messages: [{ role: 'assistant', tool_calls: calls }] } } });
    expect(kept).not.toHaveProperty('input');
    expect(kept).not.toHaveProperty('change');
    expect(kept.trace?.asked).toMatchObject([{ id: 'c', name: 'look' }]);
  });
});

describe('withLive', () => {
  const started = (dispatch: string, type = 'task.started') => ({ type, run_id: 'r', at: '2026-01-01T00:00:05Z', superstep: 2, node: 'work', dispatch_id: dispatch, data: { attempt: 2 } });

  it('shows what the stream says of tasks that are read, and those that are not read yet', () => {
    const live = liveRun();
    fold(live, started('a', 'task.retrying'));
    fold(live, started('b', 'task.succeeded'));
    const shown = withLive([slim(task(2, 'running', 'a')), slim(task(1))], live, 1);
    expect(shown.map((it) => [it.task_id, doing(it, 1), it.attempts])).toEqual([
      ['2:work:a', 'retrying', 2],
      ['2:work:b', 'held', 2],
      ['1:work:d', 'succeeded', 1],
    ]);
  });

  it('believes what was read when that is newer', () => {
    const live = liveRun();
    fold(live, started('a'));
    const failed = { ...slim(task(2, 'failed', 'a')), finished_at: '2026-01-01T00:00:06Z' };
    expect(doing(withLive([failed], live, 1)[0]!, 1)).toBe('failed');
  });
});

it('holds what is done until its superstep commits', () => {
  expect(doing(slim(task(2)), 1)).toBe('held');
  expect(doing(slim(task(2)), 2)).toBe('succeeded');
  expect(doing(slim(task(2, 'running')), 2)).toBe('succeeded');
  expect(doing(slim(task(2, 'waiting')), 1)).toBe('waiting');
});
