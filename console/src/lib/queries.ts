import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api, unwrap, type Schemas } from '../api/client';
import { definitionQuery } from './definitions';

export type RunStatusName = Schemas['RunSummary']['status'];

export const active: RunStatusName[] = ['queued', 'running', 'waiting', 'cancelling'];

/** Whether nothing happens to a run any more unless somebody acts. */
export function ended(status: RunStatusName): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'cancelled';
}

/** Whether a run does nothing until somebody acts; its stream ends there. */
export function atRest(status: RunStatusName): boolean {
  return ended(status) || status === 'interrupted';
}

export interface RunSearch {
  graph?: string;
  status?: RunStatusName[];
  thread_id?: string;
  error_code?: string;
  metadata?: string[];
  created_after?: string;
  created_before?: string;
}

/** Runs, newest first, page by page; looked at again every few seconds, unless somebody has gone far back. */
export function useRuns(search: RunSearch, limit = 50) {
  return useInfiniteQuery({
    queryKey: ['runs', search, limit],
    queryFn: ({ pageParam }) => unwrap(api.GET('/v1/runs', { params: { query: { ...search, limit, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
    // Each look reads all pages anew.
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 1) > 4 ? false : 3_000),
    maxPages: 40,
  });
}

/** Whose questions to list. */
export const assignments = ['me', 'nobody'] as const;
export type Assigned = (typeof assignments)[number];

export function useInterrupts(assigned?: Assigned, limit = 50) {
  return useQuery({
    queryKey: ['interrupts', assigned, limit],
    queryFn: () => unwrap(api.GET('/v1/interrupts', { params: { query: { status: 'open', assigned, limit } } })),
    refetchInterval: 3_000,
  });
}

export function useGraphs() {
  return useQuery({
    queryKey: ['graphs'],
    queryFn: () => unwrap(api.GET('/v1/graphs', { params: { query: { limit: 200 } } })),
  });
}

/** A version of a graph in its long form. */
export function useDefinition(graph: string | undefined, version: number | undefined) {
  return useQuery({ ...definitionQuery(graph ?? '', version), enabled: graph !== undefined && version !== undefined });
}

/** A version of a graph as its author wrote it. */
export function useYaml(graph: string | undefined, version: number | undefined) {
  return useQuery({
    queryKey: ['yaml', graph, version],
    enabled: graph !== undefined && version !== undefined,
    staleTime: Infinity,
    queryFn: async () => {
      const params = { path: { name: graph!, version: version! } };
      const found = await unwrap(api.GET('/v1/graphs/{name}/versions/{version}', { params, headers: { Accept: 'application/yaml' }, parseAs: 'text' }));
      return String(found);
    },
  });
}

/** Stores a definition; the service answers with its version. */
export async function postGraph(yaml: string): Promise<Schemas['GraphSummary']> {
  return unwrap(
    api.POST('/v1/graphs', { body: yaml as never, bodySerializer: String, headers: { 'Content-Type': 'application/yaml' } }),
  );
}
