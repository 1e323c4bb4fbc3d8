import { describe, expect, it } from 'vitest';
import type { RunTask } from './tasks';
import { timeline, within, type Bar, type Head, type Mark } from './timeline';

const at = (s: number) => new Date(s * 1_000).toISOString();

function task(superstep: number, node: string, from?: number, to?: number, status = 'succeeded', attempts = 1) {
  return { superstep, node, started_at: from === undefined ? undefined : at(from), finished_at: to === undefined ? undefined : at(to), status, attempts } as RunTask;
}

const heads = (rows: unknown[]) => (rows as { kind: string }[]).filter((row): row is Head => row.kind === 'superstep');
const bars = (rows: unknown[]) => (rows as { kind: string }[]).filter((row): row is Bar => row.kind === 'task');

describe('timeline', () => {
  it('lists supersteps from the first on, each with its tasks in task order', () => {
    const drawn = timeline([task(2, 'b', 20, 21), task(2, 'c', 20, 25), task(1, 'a', 10, 12)], [], 2, 0);
    expect(drawn.rows.map((row) => (row.kind === 'task' ? row.task.node : row.kind === 'superstep' ? row.superstep : row.type))).toEqual([1, 'a', 2, 'b', 'c']);
    expect([drawn.from, drawn.to, drawn.tasks]).toEqual([10_000, 25_000, 3]);
  });

  it('says who waited for whom, and how long', () => {
    const drawn = timeline([task(1, 'quick', 10, 11), task(1, 'slow', 10, 14, 'succeeded', 3)], [], 1, 0);
    expect(heads(drawn.rows)[0]).toMatchObject({ slowest: 'slow', waitedMs: 3_000, retried: 1, open: false });
    expect(bars(drawn.rows).map((bar) => bar.until - bar.to)).toEqual([3_000, 0]);
    expect(heads(timeline([task(1, 'alone', 10, 14)], [], 1, 0).rows)[0]).toMatchObject({ slowest: undefined, waitedMs: 0 });
  });

  it('holds what is done while another task of an open superstep runs', () => {
    const drawn = timeline([task(2, 'done', 10, 11), task(2, 'runs', 10, undefined, 'running')], [], 1, 30_000);
    expect(heads(drawn.rows)[0]).toMatchObject({ open: true, slowest: 'runs', waitedMs: 19_000 });
    expect(drawn.to).toBe(30_000);
  });

  it('goes on with a task that sleeps or asks, though its attempt has ended', () => {
    const drawn = timeline([task(2, 'done', 10, 12), task(2, 'sleeps', 10, 11, 'waiting')], [], 1, 30_000);
    expect(heads(drawn.rows)[0]).toMatchObject({ slowest: 'sleeps', waitedMs: 18_000 });
  });

  it('names the task that failed as what the others are held for', () => {
    const drawn = timeline([task(2, 'bad', 10, 11, 'failed'), task(2, 'done', 10, 12)], [], 1, 30_000);
    expect(heads(drawn.rows)[0]).toMatchObject({ slowest: 'bad' });
    expect(drawn.to).toBe(12_000);
  });

  it('puts marks where they happened', () => {
    const mark = (seq: number, s: number): Mark => ({ kind: 'mark', type: 'run.taken_over', seq, from: s * 1_000, to: s * 1_000 });
    const drawn = timeline([task(2, 'b', 20, 21), task(1, 'a', 10, 12)], [mark(9, 40), mark(5, 15)], 2, 0);
    expect(drawn.rows.map((row) => row.kind)).toEqual(['superstep', 'task', 'mark', 'superstep', 'task', 'mark']);
    expect([drawn.from, drawn.to]).toEqual([10_000, 40_000]);
  });

  it('is empty without tasks that have begun', () => {
    expect(timeline([task(1, 'a')], [], 0, 5)).toMatchObject({ rows: [], tasks: 0 });
  });
});

it('places times within a window', () => {
  expect(within(15, 20, { from: 10, to: 20 })).toEqual({ left: 0.5, width: 0.5 });
  expect(within(0, 40, { from: 10, to: 20 })).toEqual({ left: 0, width: 1 });
  expect(within(30, 40, { from: 10, to: 20 })).toEqual({ left: 1, width: 0 });
});
