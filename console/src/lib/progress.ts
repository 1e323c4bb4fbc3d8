import type { NodeState } from '../components/GraphView';
import type { Schemas } from '../api/client';

type Task = Schemas['Task'];

/** What each node of a run is doing, from its newest tasks: a node that ran again shows its last superstep. */
export function nodeStates(tasks: Task[]): Record<string, NodeState> {
  const newest = new Map<string, number>();
  for (const { node, superstep } of tasks) newest.set(node, Math.max(newest.get(node) ?? 0, superstep));
  const states: Record<string, NodeState> = {};
  for (const task of tasks) {
    if (newest.get(task.node) !== task.superstep) continue;
    const before = states[task.node];
    states[task.node] = {
      status: worst(before?.status, status(task)),
      count: (before?.count ?? 0) + 1,
      done: (before?.done ?? 0) + (status(task) === 'done' ? 1 : 0),
    };
  }
  return states;
}

function status(task: Task): NodeState['status'] {
  switch (task.status) {
    case 'running':
      return 'active';
    case 'waiting':
    case 'interrupted':
      return 'waiting';
    case 'failed':
    case 'cancelled':
      return 'failed';
    default:
      return 'done';
  }
}

const order: NodeState['status'][] = ['idle', 'done', 'waiting', 'active', 'failed'];

function worst(one: NodeState['status'] = 'idle', other: NodeState['status']): NodeState['status'] {
  return order.indexOf(one) > order.indexOf(other) ? one : other;
}
