import type { Schemas } from '../api/client';

type Task = Schemas['Task'];

/** A task as a bar: where it begins and how long it is, in parts of the whole. */
export interface Bar {
  task: Task;
  left: number;
  width: number;
}

/** The tasks as bars over the time between the first start and the last end, `now` for what still runs. */
export function bars(tasks: Task[], now: number): { bars: Bar[]; from: number; to: number } {
  const begun = tasks.filter((task) => task.started_at);
  if (begun.length === 0) return { bars: [], from: now, to: now };
  const start = (task: Task) => Date.parse(task.started_at!);
  const end = (task: Task) => (task.finished_at ? Date.parse(task.finished_at) : now);
  const from = begun.reduce((earliest, task) => Math.min(earliest, start(task)), Infinity);
  const to = begun.reduce((latest, task) => Math.max(latest, end(task)), from + 1);
  return {
    bars: begun.map((task) => ({ task, left: (start(task) - from) / (to - from), width: Math.max(0, end(task) - start(task)) / (to - from) })),
    from,
    to,
  };
}
