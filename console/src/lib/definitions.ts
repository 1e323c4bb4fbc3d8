import { queryOptions } from '@tanstack/react-query';
import { api, unwrap, type Schemas } from '../api/client';

const headers = { Accept: 'application/json' };
const query = { form: 'long' as const };

/** A version of a graph in its long form; without a number the newest, which may be another one later. */
export function definitionQuery(graph: string, version?: number) {
  return queryOptions({
    queryKey: ['definition', graph, version],
    staleTime: version === undefined ? 0 : Infinity,
    queryFn: async () =>
      (version === undefined
        ? await unwrap(api.GET('/v1/graphs/{name}', { params: { path: { name: graph }, query }, headers }))
        : await unwrap(api.GET('/v1/graphs/{name}/versions/{version}', { params: { path: { name: graph, version }, query }, headers }))) as Schemas['Graph'],
  });
}
