import type { RunEvent } from './stream';
import { addDelta, type Words } from './words';

/** What the stream says of a task of the superstep that is under way. */
export interface LiveTask {
  superstep: number;
  node: string;
  dispatch?: string;
  doing: 'running' | 'retrying' | 'held' | 'failed' | 'interrupted' | 'cancelled';
  attempt: number;
  at: string;
}

/** What the stream of a run has told so far: the tasks under way, the words of models, the last commit. */
export interface LiveRun {
  committed: number;
  lastSeq: number;
  tasks: Map<string, LiveTask>;
  words: Map<string, Words>;
}

export function liveRun(): LiveRun {
  return { committed: 0, lastSeq: 0, tasks: new Map(), words: new Map() };
}

const doings: Record<string, LiveTask['doing']> = {
  'task.started': 'running',
  'task.retrying': 'retrying',
  'task.succeeded': 'held',
  'task.handled': 'held',
  'task.cancelled': 'cancelled',
  'task.failed': 'failed',
  'task.interrupted': 'interrupted',
};

/** The id of a task, as the API makes it. */
export function taskId(superstep: number, node: string, dispatch?: string): string {
  return dispatch === undefined ? `${superstep}:${node}` : `${superstep}:${node}:${dispatch}`;
}

/** Folds an event into what is known, in place: each costs the same, however long the run is. */
export function fold(run: LiveRun, event: RunEvent): void {
  // What was told is no part of the run any more; what is there follows.
  if (event.type === 'rewound') Object.assign(run, liveRun());
  if (event.seq !== undefined) run.lastSeq = Math.max(run.lastSeq, event.seq);
  const doing = doings[event.type];
  if (doing) {
    if (event.node !== undefined && (event.superstep ?? 0) > run.committed) setTask(run, event, doing);
  } else if (event.type === 'message.delta') {
    if ((event.superstep ?? 0) > run.committed) addDelta(run.words, event);
  } else if (event.type === 'superstep.committed') {
    commit(run, event.superstep ?? 0);
  } else if (event.type === 'run.taken_over' || event.type === 'run.resumed') {
    // What the one before had under way begins anew, and so may what was cancelled; what was done is held in the database.
    for (const [id, task] of run.tasks) if (task.doing !== 'held') run.tasks.delete(id);
  }
}

function setTask(run: LiveRun, event: RunEvent, doing: LiveTask['doing']) {
  const id = taskId(event.superstep!, event.node!, event.dispatch_id);
  const attempt = Number(event.data.attempt ?? run.tasks.get(id)?.attempt ?? 1);
  run.tasks.set(id, { superstep: event.superstep!, node: event.node!, dispatch: event.dispatch_id, doing, attempt, at: event.at });
}

/** What a superstep has committed is in the state now: its words go, and the tasks of those before it, which have been read meanwhile. */
function commit(run: LiveRun, superstep: number) {
  run.committed = Math.max(run.committed, superstep);
  for (const [id, task] of run.tasks) if (task.superstep < superstep) run.tasks.delete(id);
  for (const [id, words] of run.words) if (words.superstep <= superstep) run.words.delete(id);
}
