import type { Schemas } from '../api/client';
import { taskId, type LiveRun, type LiveTask } from './live';
import { trace, type Trace } from './toolCalls';

/** A task as lists keep it: without what may be large, with what it did with tools where that was read. */
export interface RunTask extends Omit<Schemas['Task'], 'input' | 'change' | 'compacted'> {
  trace?: Trace;
  /** What the stream says of it, where that is newer. */
  live?: LiveTask['doing'];
}

/** The tasks of a run, newest superstep first; those up to `settled` do not change any more. */
export interface TaskBook {
  tasks: RunTask[];
  settled: number;
  complete: boolean;
  more: boolean;
}

export type Doing = RunTask['status'] | 'retrying' | 'held';

export const tasksMax = 10_000;

/** The task without parts that ten thousand of its kind would fill the memory with. */
export function slim(task: Schemas['Task']): RunTask {
  const rest: RunTask & Partial<Schemas['Task']> = { ...task };
  delete rest.input;
  delete rest.change;
  delete rest.compacted;
  const found = trace(task.change);
  return { ...rest, ...(found && { trace: found }) };
}

type Page = { items: Schemas['Task'][]; next_cursor?: string };

/**
 * Reads what is new since `before`: pages from the newest superstep on, until one that was settled
 * then. The first reading tells what it has after its first page, and then some times on the way.
 *
 * @param committed the last superstep that was committed before this reading began
 * @param pageMax how many tasks a page may have, after the first one
 */
export async function readTasks(
  page: (limit: number, cursor?: string) => Promise<Page>,
  committed: number,
  before: TaskBook | undefined,
  tell: (book: TaskBook) => void = () => {},
  pageMax = 200,
): Promise<TaskBook> {
  const settled = before?.complete ? before.settled : -1;
  const old = before?.complete ? before.tasks.slice(first(before.tasks, settled)) : [];
  const fresh: RunTask[] = [];
  let cursor: string | undefined;
  let pages = 0;
  for (;;) {
    const { items, next_cursor: next } = await page(pages ? pageMax : 50, cursor);
    const known = items.findIndex((task) => task.superstep <= settled);
    for (const task of known < 0 ? items : items.slice(0, known)) fresh.push(slim(task));
    cursor = next;
    pages++;
    if (known >= 0 || cursor === undefined || fresh.length >= tasksMax) break;
    if (!before && (pages === 1 || (pages * pageMax) % 2_000 === 0)) tell({ tasks: [...fresh], settled: -1, complete: false, more: true });
  }
  const tasks = [...fresh, ...old];
  const more = tasks.length > tasksMax || (cursor !== undefined && old.length === 0) || (before?.more === true && old.length > 0);
  // Whatever the run says of itself: the tasks of a superstep are all there when there are some of the next.
  const settledNow = Math.min(committed, (tasks[0]?.superstep ?? 0) - 1);
  return { tasks: tasks.slice(0, tasksMax), settled: settledNow, complete: true, more };
}

/** The index of the first task of this superstep or an earlier one. */
function first(tasks: RunTask[], superstep: number): number {
  let [low, high] = [0, tasks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tasks[middle]!.superstep > superstep) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The tasks with what the stream has told since they were read; those up to `settled` are known for good. */
export function withLive(tasks: RunTask[], live: LiveRun, settled: number): RunTask[] {
  if (live.tasks.size === 0) return tasks;
  const open = first(tasks, settled);
  const shown: RunTask[] = [];
  const seen = new Set<string>();
  for (const task of tasks.slice(0, open)) {
    const told = live.tasks.get(task.task_id);
    seen.add(task.task_id);
    const newer = told && !(task.finished_at && task.finished_at > told.at);
    shown.push(newer ? { ...task, live: told.doing, attempts: Math.max(task.attempts, told.attempt) } : task);
  }
  for (const [id, told] of live.tasks) {
    if (seen.has(id) || told.superstep <= settled) continue;
    shown.push({ task_id: taskId(told.superstep, told.node, told.dispatch), superstep: told.superstep, node: told.node, dispatch_id: told.dispatch, attempts: told.attempt, status: 'running', live: told.doing, started_at: told.at, idempotency_key: '' });
  }
  return [...shown, ...tasks.slice(open)];
}

const unfinished: RunTask['status'][] = ['running', 'waiting', 'interrupted'];

/** Whether a task goes on: one that sleeps or asks has ended an attempt, but not itself. */
export function isUnfinished(task: RunTask, committed: number): boolean {
  return task.superstep > committed && unfinished.includes(task.status);
}

/** What a task is doing; one that is done is *held* until its superstep commits. */
export function doing(task: RunTask, committed: number): Doing {
  // Read before the commit, which only what is done, handled or not needed any more lets happen.
  if (task.superstep <= committed && task.live === 'cancelled') return task.live;
  if (task.superstep <= committed) return unfinished.includes(task.status) ? 'succeeded' : task.status;
  if (task.live) return task.live;
  return task.status === 'succeeded' || task.status === 'handled' ? 'held' : task.status;
}

/** A task as people call it: its node, and which dispatch of it. */
export function taskName({ node, dispatch_id: dispatch }: Pick<RunTask, 'node' | 'dispatch_id'>): string {
  return dispatch === undefined ? node : `${node} ${dispatch}`;
}
