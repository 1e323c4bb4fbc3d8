import { expect, it } from 'vitest';
import { childrenOf, innerStates, type ChildRun } from './inner';
import type { RunTask } from './tasks';

function task(node: string, superstep: number, status: string, child?: string) {
  return { node, superstep, status, attempts: 1, child_run_id: child } as RunTask;
}

const tasks = [task('read', 3, 'succeeded', 'r3'), task('read', 3, 'waiting', 'r4'), task('plan', 2, 'succeeded'), task('read', 1, 'failed', 'r1')];

const children: Record<string, Omit<ChildRun, 'id'>> = {
  r3: { committed: 2, tasks: [task('cut', 2, 'succeeded', 'deep'), task('load', 1, 'succeeded')] },
  r4: { committed: 0, tasks: [task('load', 1, 'running')] },
  deep: { committed: 1, tasks: [task('page', 1, 'succeeded')] },
};

const read = (_: string, ids: string[]) => Promise.resolve(ids.map((id) => ({ id, ...children[id]! })));

it('looks into the runs of the newest superstep, first into those that are not done', () => {
  expect(childrenOf('read', tasks)).toEqual(['r4', 'r3']);
  expect(childrenOf('plan', tasks)).toEqual([]);
  expect(childrenOf('never', tasks)).toEqual([]);
});

it('adds up the nodes of all runs of an unfolded node', async () => {
  const { states, runs } = await innerStates('r', tasks, ['read', 'plan'], read);
  expect(states).toEqual({ 'read/load': { status: 'active', count: 2, done: 1 }, 'read/cut': { status: 'done', count: 1, done: 1 } });
  expect(runs).toEqual([{ node: 'read', runs: ['r4', 'r3'], of: 2 }]);
});

it('goes into what is unfolded within', async () => {
  const { states } = await innerStates('r', tasks, ['read', 'read/cut'], read);
  expect(states['read/cut/page']).toEqual({ status: 'done', count: 1, done: 1 });
});

it('reads nothing for what is folded', async () => {
  expect((await innerStates('r', tasks, [], read)).states).toEqual({});
});
