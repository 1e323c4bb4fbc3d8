import type { NodeState } from '../components/GraphView';
import type { Schemas } from '../api/client';
import { doing, type Doing, type RunTask } from './tasks';

/** What a node of a run is doing and what it has taken, for a table. */
export interface NodeRow {
  node: string;
  state: NodeState;
  /** All its tasks so far, and those of them that were tried more than once. */
  tasks: number;
  retried: number;
  /** Milliseconds of all its tasks together, and of the longest one. */
  busyMs: number;
  longestMs: number;
  usage?: Schemas['NodeUsage'];
  /** Its newest task that has failed. */
  failed?: RunTask;
}

/** What each node of a run is doing, from its newest tasks: a node that ran again shows its last superstep. */
export function nodeStates(tasks: RunTask[], committed: number): Record<string, NodeState> {
  const newest = new Map<string, number>();
  const states: Record<string, NodeState> = {};
  // Newest superstep first, as the API lists them; tasks that only the stream knows may stand behind.
  for (const { node, superstep } of tasks) if (superstep > (newest.get(node) ?? -1)) newest.set(node, superstep);
  for (const task of tasks) {
    if (newest.get(task.node) !== task.superstep) continue;
    const now = status(doing(task, committed));
    const before = states[task.node];
    states[task.node] = {
      status: worst(before?.status, now),
      count: (before?.count ?? 0) + 1,
      done: (before?.done ?? 0) + (now === 'done' || now === 'held' ? 1 : 0),
    };
  }
  return states;
}

function status(now: Doing): NodeState['status'] {
  switch (now) {
    case 'running':
    case 'retrying':
      return 'active';
    case 'waiting':
    case 'interrupted':
      return 'waiting';
    case 'failed':
    case 'cancelled':
      return 'failed';
    case 'held':
      return 'held';
    default:
      return 'done';
  }
}

const order: NodeState['status'][] = ['idle', 'done', 'held', 'waiting', 'active', 'failed'];

function worst(one: NodeState['status'] = 'idle', other: NodeState['status']): NodeState['status'] {
  return order.indexOf(one) > order.indexOf(other) ? one : other;
}

/** The states of one run's nodes and of another's, who run the same graph: their tasks together, and the worst of both. */
export function sumStates(one: Record<string, NodeState>, other: Record<string, NodeState>): Record<string, NodeState> {
  const sums = { ...one };
  for (const [node, { status: now, count = 0, done = 0 }] of Object.entries(other)) {
    const before = sums[node];
    sums[node] = { status: worst(before?.status, now), count: (before?.count ?? 0) + count, done: (before?.done ?? 0) + done };
  }
  return sums;
}

/** One row for each node: those of the definition in its order, then what else has run or spent tokens. */
export function nodeRows(nodes: string[], tasks: RunTask[], committed: number, usage: Schemas['NodeUsage'][]): NodeRow[] {
  const states = nodeStates(tasks, committed);
  const rows = new Map<string, NodeRow>();
  const row = (node: string) => {
    let found = rows.get(node);
    if (!found) rows.set(node, (found = { node, state: states[node] ?? { status: 'idle' }, tasks: 0, retried: 0, busyMs: 0, longestMs: 0 }));
    return found;
  };
  for (const node of nodes) row(node);
  for (const task of tasks) {
    const of = row(task.node);
    const ms = task.started_at && task.finished_at ? Math.max(0, Date.parse(task.finished_at) - Date.parse(task.started_at)) : 0;
    of.tasks++;
    if (task.attempts > 1) of.retried++;
    of.busyMs += ms;
    of.longestMs = Math.max(of.longestMs, ms);
    if (task.error && !of.failed) of.failed = task;
  }
  for (const spent of usage) row(spent.node).usage = spent;
  return [...rows.values()];
}
