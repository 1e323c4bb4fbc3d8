import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, unwrap, type Schemas } from '../../api/client';
import { ended } from '../../lib/queries';
import { followRun, type Connection } from '../../lib/stream';
import { addWords, type Words } from '../../lib/words';

const refreshMs = 400;
const tasksMax = 10_000;

export function useRun(id: string) {
  return useQuery({
    queryKey: ['run', id],
    queryFn: () => unwrap(api.GET('/v1/runs/{id}', { params: { path: { id } } })),
    refetchInterval: (query) => (query.state.data && ended(query.state.data.status) ? false : 5_000),
  });
}

/** All tasks of a run, up to ten thousand. */
export function useTasks(id: string) {
  return useQuery({
    queryKey: ['run', id, 'tasks'],
    queryFn: async () => {
      const tasks: Schemas['Task'][] = [];
      let cursor: string | undefined;
      do {
        const page = await unwrap(api.GET('/v1/runs/{id}/tasks', { params: { path: { id }, query: { limit: 200, cursor } } }));
        tasks.push(...page.items);
        cursor = page.next_cursor;
      } while (cursor && tasks.length < tasksMax);
      return { tasks, more: cursor !== undefined };
    },
  });
}

export function useCheckpoints(id: string) {
  return useInfiniteQuery({
    queryKey: ['run', id, 'checkpoints'],
    queryFn: ({ pageParam }) => unwrap(api.GET('/v1/runs/{id}/checkpoints', { params: { path: { id }, query: { limit: 200, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
  });
}

export function useCheckpoint(id: string, number: number | undefined) {
  return useQuery({
    queryKey: ['checkpoint', id, number],
    enabled: number !== undefined && number >= 0,
    staleTime: Infinity,
    queryFn: () => unwrap(api.GET('/v1/runs/{id}/checkpoints/{number}', { params: { path: { id, number: number! } } })),
  });
}

/** Follows the run's stream: what it tells makes the queries look again, at most some times a second. */
export function useLive(id: string): { connection: Connection; words: Words[] } {
  const queries = useQueryClient();
  const [connection, setConnection] = useState<Connection>('connecting');
  const [words, setWords] = useState<Record<string, Words>>({});
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => {
    const refresh = () => {
      timer.current ??= window.setTimeout(() => {
        timer.current = undefined;
        void queries.invalidateQueries({ queryKey: ['run', id] });
      }, refreshMs);
    };
    const stop = followRun(
      id,
      (events) => {
        setWords((before) => addWords(before, events));
        if (events.some((event) => event.type !== 'message.delta')) refresh();
      },
      setConnection,
    );
    return () => {
      stop();
      window.clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, [id, queries]);
  return { connection, words: Object.values(words) };
}
