import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, unwrap } from '../../api/client';
import type { Named, Names } from './completion';

const query = { params: { query: { limit: 200 } } };

const lists = {
  tools: () => unwrap(api.GET('/v1/tools', query)),
  models: () => unwrap(api.GET('/v1/models', query)),
  reducers: () => unwrap(api.GET('/v1/reducers', query)),
  functions: () => unwrap(api.GET('/v1/functions', query)),
  graphs: () => unwrap(api.GET('/v1/graphs', query)),
  transforms: () => unwrap(api.GET('/v1/context-transforms', query)),
} satisfies Record<keyof Names, () => Promise<{ items: Named[] }>>;

const kinds = Object.keys(lists) as (keyof Names)[];

/** What a definition can refer to on this server; empty lists until they are there. */
export function useNames(): Names {
  const found = useQueries({
    queries: kinds.map((kind) => ({ queryKey: ['names', kind], staleTime: 60_000, queryFn: async (): Promise<Named[]> => (await lists[kind]()).items })),
    combine: (results) => results.map((it) => it.data),
  });
  return useMemo(() => Object.fromEntries(kinds.map((kind, index) => [kind, found[index] ?? []])) as unknown as Names, [found]);
}
