import type { NodeState } from '../components/GraphView';
import type { Schemas } from '../api/client';
import { sum, type Counts, type NodeTasks } from './counts';
import type { LiveRun } from './live';
import { doing, type Doing, type RunTask } from './tasks';

/** What a node of a run is doing and what it has taken, for a table. */
export interface NodeRow {
  node: string;
  /** Undefined: it is not known yet. */
  state?: NodeState;
  /** All its tasks so far, and those of them that were tried more than once. */
  tasks: number;
  retried: number;
  /** Milliseconds of all its tasks together, and of the longest one. */
  busyMs: number;
  longestMs: number;
  usage?: Schemas['NodeUsage'];
  /** Its newest task that has failed, and with which code. */
  failed?: { task: string; code?: string };
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
      return now;
    case 'held':
      return 'held';
    default:
      return 'done';
  }
}

// A node of which others have ended well is not called by those that were not needed.
const order: NodeState['status'][] = ['idle', 'cancelled', 'done', 'held', 'waiting', 'active', 'failed'];

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

/** What the stream says of the tasks of a node in a superstep. */
interface Told {
  superstep: number;
  tasks: number;
  retried: number;
  active: number;
  held: number;
  failed: number;
  asked: number;
  cancelled: number;
}

function told(live: LiveRun, settled: number): Map<string, Told> {
  const nodes = new Map<string, Told>();
  for (const task of live.tasks.values()) {
    if (task.superstep <= settled) continue;
    const before = nodes.get(task.node);
    if (before && before.superstep > task.superstep) continue;
    const it = before?.superstep === task.superstep ? before : { superstep: task.superstep, tasks: 0, retried: 0, active: 0, held: 0, failed: 0, asked: 0, cancelled: 0 };
    it.tasks++;
    if (task.attempt > 1) it.retried++;
    if (task.doing === 'held') it.held++;
    else if (task.doing === 'failed') it.failed++;
    else if (task.doing === 'interrupted') it.asked++;
    else if (task.doing === 'cancelled') it.cancelled++;
    else it.active++;
    nodes.set(task.node, it);
  }
  return nodes;
}

/** What a node is doing in the superstep that is under way: what is stored of it, and what the stream knows before that. */
function openState(stored: NodeTasks | undefined, live: Told | undefined, committed: number): NodeState {
  const how = stored?.newest ?? {};
  const of = (...statuses: string[]) => statuses.reduce((sum, it) => sum + (how[it] ?? 0), 0);
  const superstep = live?.superstep ?? stored?.superstep ?? 0;
  const count = Math.max(stored?.tasks ?? 0, live?.tasks ?? 0);
  if (superstep <= committed) return { status: 'done', count, done: count };
  const done = Math.max(of('succeeded', 'handled'), live?.held ?? 0);
  const failed = Math.max(of('failed'), live?.failed ?? 0);
  const cancelled = Math.max(of('cancelled'), live?.cancelled ?? 0);
  const waiting = Math.max(of('waiting', 'interrupted'), live?.asked ?? 0);
  const active = (live?.active ?? 0) > 0 || count > done + failed + waiting + cancelled;
  return { status: failed > 0 ? 'failed' : active ? 'active' : waiting > 0 ? 'waiting' : cancelled > 0 && done === 0 ? 'cancelled' : 'held', count, done };
}

function settledState({ newest }: NodeTasks): NodeState {
  const count = Object.values(newest).reduce((sum, it) => sum + it, 0);
  const done = (newest.succeeded ?? 0) + (newest.handled ?? 0);
  const cancelled = newest.cancelled ?? 0;
  return { status: done + cancelled < count ? 'failed' : cancelled > 0 && done === 0 ? 'cancelled' : 'done', count, done };
}

/**
 * One row for each node: those of the definition in its order, then what else has run or spent
 * tokens. All numbers are the service's, but for what the stream says of the superstep under way.
 *
 * @param counts undefined: they are being read
 */
export function nodeRows(nodes: string[], counts: Counts | undefined, live: LiveRun, usage: Schemas['NodeUsage'][]): NodeRow[] {
  const now = told(live, counts?.superstep ?? Infinity);
  const spent = new Map(usage.map((it) => [it.node, it]));
  const names = new Set([...nodes, ...(counts?.committed.keys() ?? []), ...(counts?.open.keys() ?? []), ...now.keys(), ...spent.keys()]);
  return [...names].map((node) => {
    const [settled, open, stream] = [counts?.committed.get(node), counts?.open.get(node), now.get(node)];
    const under = open || stream;
    const whole = settled && open ? sum(open, settled) : (open ?? settled);
    return {
      node,
      ...(counts && { state: under ? openState(open, stream, live.committed) : settled ? settledState(settled) : { status: 'idle' as const } }),
      tasks: (settled?.tasks ?? 0) + Math.max(open?.tasks ?? 0, stream?.tasks ?? 0),
      retried: (settled?.retried ?? 0) + Math.max(open?.retried ?? 0, stream?.retried ?? 0),
      busyMs: whole?.busy_ms ?? 0,
      longestMs: whole?.longest_ms ?? 0,
      ...(spent.has(node) && { usage: spent.get(node)! }),
      ...(whole?.failed_task !== undefined && { failed: { task: whole.failed_task, code: whole.failed_code } }),
    };
  });
}
