import { isUnfinished, taskName, type RunTask } from './tasks';

/** A task as a bar, in times; `until` is when its superstep let it go, if it waited for others. */
export interface Bar {
  kind: 'task';
  task: RunTask;
  from: number;
  to: number;
  until: number;
}

/** A superstep: its tasks, how long it took, and which task the others waited for. */
export interface Head {
  kind: 'superstep';
  superstep: number;
  tasks: number;
  retried: number;
  from: number;
  to: number;
  open: boolean;
  slowest?: string;
  waitedMs: number;
}

/** Something that happened to the run as a whole: a takeover, a resume, its end. */
export interface Mark {
  kind: 'mark';
  type: string;
  seq: number;
  from: number;
  to: number;
}

export type Row = Head | Bar | Mark;

/** What a run did over time, oldest first: marks, supersteps, and below each superstep its tasks. `now` ends what still runs. */
export function timeline(tasks: RunTask[], marks: Mark[], committed: number, now: number): { rows: Row[]; from: number; to: number; tasks: number } {
  const supersteps = new Map<number, Bar[]>();
  for (const task of tasks) {
    if (!task.started_at) continue;
    const from = Date.parse(task.started_at);
    const to = Math.max(from, task.finished_at && !isUnfinished(task, committed) ? Date.parse(task.finished_at) : now);
    const bars = supersteps.get(task.superstep);
    const bar: Bar = { kind: 'task', task, from, to, until: to };
    if (bars) bars.push(bar);
    else supersteps.set(task.superstep, [bar]);
  }
  const groups = [...supersteps].sort(([one], [other]) => one - other).map(([superstep, bars]) => group(superstep, bars, superstep > committed));
  const rows: Row[] = [];
  let [mark, from, to] = [0, Infinity, -Infinity];
  const sorted = [...marks].sort((one, other) => one.seq - other.seq);
  for (const { head, bars } of groups) {
    for (; mark < sorted.length && sorted[mark]!.from <= head.from; mark++) rows.push(sorted[mark]!);
    rows.push(head);
    for (const bar of bars) rows.push(bar);
    from = Math.min(from, head.from);
    to = Math.max(to, head.to);
  }
  for (; mark < sorted.length; mark++) rows.push(sorted[mark]!);
  for (const it of sorted) [from, to] = [Math.min(from, it.from), Math.max(to, it.to)];
  if (groups.length === 0) return { rows, from: now, to: now + 1, tasks: 0 };
  return { rows, from, to: Math.max(to, from + 1), tasks: groups.reduce((sum, it) => sum + it.bars.length, 0) };
}

/** The bars of a superstep: each waits for the slowest of them, or for the one that keeps the superstep open. */
function group(superstep: number, bars: Bar[], open: boolean): { head: Head; bars: Bar[] } {
  let [from, firstDone, to] = [Infinity, Infinity, -Infinity];
  let slowest = bars[0]!;
  let retried = 0;
  for (const bar of bars) {
    from = Math.min(from, bar.from);
    firstDone = Math.min(firstDone, bar.to);
    if (bar.to > to) [to, slowest] = [bar.to, bar];
    if (bar.task.attempts > 1) retried++;
  }
  // Failed, asking or still running: what is done is held for it, until now or until somebody acts.
  if (open) slowest = bars.find((bar) => !isDone(bar.task)) ?? slowest;
  for (const bar of bars) bar.until = to;
  const others = bars.length > 1;
  return { head: { kind: 'superstep', superstep, tasks: bars.length, retried, from, to, open, slowest: others ? taskName(slowest.task) : undefined, waitedMs: others ? to - firstDone : 0 }, bars };
}

function isDone(task: RunTask): boolean {
  return task.status === 'succeeded' || task.status === 'handled';
}

/** Where a stretch of time lies within another one, in parts of it, cut at its edges. */
export function within(from: number, to: number, window: { from: number; to: number }): { left: number; width: number } {
  const whole = Math.max(1, window.to - window.from);
  const left = Math.min(1, Math.max(0, (from - window.from) / whole));
  const right = Math.min(1, Math.max(left, (to - window.from) / whole));
  return { left, width: right - left };
}
