import { keepPreviousData, queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { api, unwrap, type Schemas } from '../../api/client';
import { readCounts, type Counts } from '../../lib/counts';
import { innerStates, type ChildRun } from '../../lib/inner';
import { fold, liveRun, type LiveRun } from '../../lib/live';
import { atRest, ended } from '../../lib/queries';
import { followRun, type Connection } from '../../lib/stream';
import { readTasks, slim, withLive, type RunTask, type TaskBook } from '../../lib/tasks';
import type { Mark } from '../../lib/timeline';

type Run = Schemas['Run'];

const refreshMs = 400;
const showMs = 150;
const showManyMs = 600;
const manyTasks = 2_000;
export const eventsPage = 200;
/** Bytes up to which the value of a channel comes with its state. */
export const valuesMax = 50_000;

/** Where a state is. */
export interface StatePlace {
  run: string;
  checkpoint: number;
}

function runQuery(id: string) {
  return queryOptions({ queryKey: ['run', id], queryFn: () => unwrap(api.GET('/v1/runs/{id}', { params: { path: { id }, query: { without: 'input,output' } } })) });
}

export function useRun(id: string | undefined) {
  return useQuery({
    ...runQuery(id ?? ''),
    enabled: id !== undefined,
    refetchInterval: (query) => (query.state.data && ended(query.state.data.status) ? false : 5_000),
  });
}

/** A run with its input and output, which may be large. */
export function useRunData(run: Run) {
  return useQuery({
    queryKey: ['run', run.id, 'data', run.status],
    gcTime: 10_000,
    structuralSharing: false,
    queryFn: () => unwrap(api.GET('/v1/runs/{id}', { params: { path: { id: run.id } } })),
  });
}

/** What is read of the tasks of a run: `slim`, or with what they did with tools, which takes longer. */
export type Depth = 'slim' | 'traced';

const depths = {
  slim: { without: 'input,change', pageMax: 2_000 },
  traced: { without: 'input', pageMax: 200 },
};

/** The tasks of a run, up to ten thousand: the newest at once, the others as they come; later only what is new. */
export function useTasks(id: string | undefined, depth: Depth = 'slim') {
  const queries = useQueryClient();
  const queryKey = ['run', id, 'tasks', depth];
  const { without, pageMax } = depths[depth];
  return useQuery({
    queryKey,
    enabled: id !== undefined,
    // The book keeps what has not changed itself; comparing ten thousand tasks again is not needed.
    structuralSharing: false,
    queryFn: async () => {
      const committed = queries.getQueryData<Run>(['run', id])?.superstep ?? 0;
      const page = (limit: number, cursor?: string) => unwrap(api.GET('/v1/runs/{id}/tasks', { params: { path: { id: id! }, query: { limit, cursor, without } } }));
      return readTasks(page, committed, queries.getQueryData<TaskBook>(queryKey), (book) => queries.setQueryData(queryKey, book), pageMax);
    },
  });
}

/** How many tasks the nodes of a run have, as the service counts them. */
export function useCounts(id: string) {
  const queries = useQueryClient();
  const queryKey = ['run', id, 'nodes'];
  return useQuery({
    queryKey,
    structuralSharing: false,
    queryFn: () => {
      const page = (after?: number, cursor?: string) => unwrap(api.GET('/v1/runs/{id}/nodes', { params: { path: { id }, query: { after, cursor } } }));
      return readCounts(page, queries.getQueryData<Counts>(queryKey));
    },
  });
}

/** The tasks of a run as they are now: what was read, and what the stream has told since. */
export function useShownTasks(run: Run, live: LiveRun, depth: Depth = 'slim') {
  const tasks = useTasks(run.id, depth);
  const committed = Math.max(run.superstep, live.committed);
  const book = tasks.data;
  const shown = useMemo(() => withLive(book?.tasks ?? [], live, book?.settled ?? 0), [book, live]);
  return { tasks: shown, committed, book, query: tasks };
}

/** One task with all of it, which lists do not read. */
export function useTask(run: string, listed: RunTask | undefined, task: string) {
  return useQuery({
    queryKey: ['run', run, 'task', task, listed?.status],
    queryFn: async () => {
      const superstep = Number.parseInt(task, 10);
      if (Number.isNaN(superstep)) return null;
      let cursor: string | undefined;
      do {
        const page = await unwrap(api.GET('/v1/runs/{id}/tasks', { params: { path: { id: run }, query: { superstep, node: listed?.node, dispatch_id: listed?.dispatch_id, limit: 200, cursor } } }));
        const found = page.items.find((it) => it.task_id === task);
        if (found) return found;
        cursor = page.next_cursor;
      } while (cursor);
      return null;
    },
  });
}

/** These runs that tasks of a run have begun, with their newest tasks; what has ended is not read again. */
async function readChildren(queries: QueryClient, parent: string, children: string[]): Promise<ChildRun[]> {
  const { items } = await unwrap(api.GET('/v1/runs', { params: { query: { parent, limit: 200 } } }));
  const found = items.filter((it) => children.includes(it.id));
  return Promise.all(
    found.map(async ({ id, status, superstep, checkpoint }) => {
      const page = await queries.fetchQuery({
        queryKey: ['child', id, status, checkpoint],
        staleTime: ended(status) ? Infinity : 0,
        gcTime: 60_000,
        queryFn: () => unwrap(api.GET('/v1/runs/{id}/tasks', { params: { path: { id }, query: { limit: 200 } } })),
      });
      return { id, tasks: page.items.map(slim), committed: superstep };
    }),
  );
}

/** What the nodes of unfolded subgraphs are doing: of the runs that their tasks have begun. */
export function useInner(run: Run, tasks: RunTask[], unfolded: string[]) {
  const queries = useQueryClient();
  const known = useMemo(() => tasks.filter((task) => unfolded.includes(task.node)).map((task) => `${task.child_run_id} ${task.status}`), [tasks, unfolded]);
  return useQuery({
    queryKey: ['inner', run.id, unfolded, known],
    enabled: known.length > 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
    refetchInterval: ended(run.status) ? false : 2_000,
    queryFn: () => innerStates(run.id, tasks, unfolded, (parent, children) => readChildren(queries, parent, children)),
  });
}

export function useCheckpoint(id: string, number: number | undefined) {
  return useQuery({
    queryKey: ['checkpoint', id, number],
    enabled: number !== undefined && number >= 0,
    staleTime: Infinity,
    // Those just looked at are kept.
    gcTime: 10_000,
    structuralSharing: false,
    queryFn: () =>
      unwrap(api.GET('/v1/runs/{id}/checkpoints/{number}', { params: { path: { id, number: number! }, query: { values_max: valuesMax, without: 'changes' } } })),
  });
}

/** A channel of a state that was left out of it, being large; read when somebody wants to see it. */
export function useChannel({ run, checkpoint }: StatePlace, channel: string, enabled: boolean) {
  return useQuery({
    queryKey: ['channel', run, checkpoint, channel],
    enabled,
    staleTime: Infinity,
    gcTime: 10_000,
    structuralSharing: false,
    queryFn: async () => {
      const read = await unwrap(api.GET('/v1/runs/{id}/state', { params: { path: { id: run }, query: { checkpoint, channel: [channel] } } }));
      // A query may not answer with undefined.
      return { value: read.state[channel] };
    },
  });
}

const markTypes = ['run.created', 'run.started', 'run.taken_over', 'run.resumed', 'run.interrupted', 'run.waiting', 'run.succeeded', 'run.failed', 'run.cancelled'];
const marksMax = 2_000;

/** What happened to a run as a whole, takeovers included. The service reads all events to find these few, so what was read is not read again. */
export function useMarks(id: string, lastSeq: number) {
  const queries = useQueryClient();
  const key = ['run', id, 'marks'];
  return useQuery({
    queryKey: key,
    select: (read: { marks: Mark[]; to: number }) => read.marks,
    queryFn: async () => {
      const read = queries.getQueryData<{ marks: Mark[]; to: number }>(key);
      const marks = [...(read?.marks ?? [])];
      const after = read?.to;
      let cursor: string | undefined;
      do {
        const page = await unwrap(api.GET('/v1/runs/{id}/events', { params: { path: { id }, query: { type: markTypes, limit: eventsPage, after, cursor } } }));
        for (const event of page.items) {
          const at = Date.parse(event.at);
          marks.push({ kind: 'mark', type: event.type, seq: event.seq ?? 0, from: at, to: at });
        }
        cursor = page.next_cursor;
      } while (cursor && marks.length < marksMax);
      return { marks, to: Math.max(lastSeq, marks.at(-1)?.seq ?? 0) };
    },
  });
}

/**
 * Reads the queries of a run again when something has happened: one reading at a time, and the
 * longer one takes, the longer the pause behind it.
 */
function refresher(queries: QueryClient, id: string) {
  let [asked, busy, stopped] = [false, false, false];
  let timer: number | undefined;
  async function refresh() {
    const begun = performance.now();
    asked = false;
    await queries.refetchQueries({ queryKey: ['run', id], type: 'active' }, { cancelRefetch: false });
    const pause = Math.max(refreshMs, 4 * (performance.now() - begun));
    timer = window.setTimeout(() => {
      busy = false;
      if (asked) ask();
    }, pause);
  }
  function ask() {
    asked = true;
    if (busy || stopped) return;
    busy = true;
    // A short while, so that what happens together is read together.
    timer = window.setTimeout(() => void refresh(), 50);
  }
  return {
    ask,
    stop: () => {
      stopped = true;
      window.clearTimeout(timer);
    },
  };
}

/** The database has gone back: what was read of the run may not be there any more. */
function forget(queries: QueryClient, id: string) {
  queries.removeQueries({ queryKey: ['checkpoint', id] });
  queries.removeQueries({ queryKey: ['channel', id] });
  void queries.resetQueries({ queryKey: ['run', id] });
}

/**
 * Follows the run's stream while it is not at rest. What it tells is folded at once and shown some times a second.
 * At rest nothing is told, though children may end and others may answer: when the run was read and has changed, the rest is read again.
 */
export function useLive(id: string, run: Run | undefined): { connection: Connection; live: LiveRun } {
  const queries = useQueryClient();
  const [connection, setConnection] = useState<Connection>('connecting');
  const [live, setLive] = useState<LiveRun>(liveRun);
  const read = useRef<string>(undefined);
  const follows = run !== undefined && !atRest(run.status);
  const resting = follows ? undefined : run;
  useEffect(() => {
    setLive(liveRun());
    if (!follows) {
      // What was read, or was being read, may be older than the run; that itself is looked at anew now and then.
      if (read.current === id) void queries.refetchQueries({ queryKey: ['run', id], type: 'active', predicate: (query) => query.queryKey.length > 2 });
      read.current = resting && id;
      return;
    }
    read.current = id;
    const told = liveRun();
    const refresh = refresher(queries, id);
    // Live events may be lost; what is stored is read now and then.
    const beat = window.setInterval(refresh.ask, 5_000);
    let timer: number | undefined;
    const show = () => {
      const pause = told.tasks.size > manyTasks ? showManyMs : showMs;
      timer ??= window.setTimeout(() => {
        timer = undefined;
        setLive({ ...told });
      }, pause);
    };
    const stop = followRun(
      id,
      (events) => {
        for (const event of events) fold(told, event);
        if (events.some((event) => event.type === 'rewound')) forget(queries, id);
        show();
        if (events.some((event) => event.seq !== undefined)) refresh.ask();
      },
      setConnection,
      async () => {
        const { status: now } = await queries.fetchQuery({ ...runQuery(id), staleTime: 0 });
        return atRest(now);
      },
    );
    return () => {
      stop();
      refresh.stop();
      window.clearInterval(beat);
      window.clearTimeout(timer);
    };
  }, [id, follows, resting, queries]);
  return { connection: follows ? connection : run === undefined ? 'connecting' : 'ended', live };
}
