import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../api/client';
import { useApiKey } from './key';

/** What a key may be good for, as the API names it. */
export type Scope = 'read' | 'run' | 'answer' | 'author' | 'operate' | 'admin';

/** What this server is, how it fares, and what the key of this tab may do. */
export function useServer() {
  const { key } = useApiKey();
  return useQuery({
    queryKey: ['server', key],
    queryFn: () => unwrap(api.GET('/v1/server')),
    refetchInterval: 5_000,
  });
}

/** Whether to offer what needs a scope: not before it is known, and yes if the server does not tell, for it decides anyway. */
export function offers(scope: Scope, scopes: readonly string[] | undefined, failed: boolean): boolean {
  return scopes ? scopes.includes(scope) : failed;
}

/** Whether the key of this tab may do what needs this scope. */
export function useMay(scope: Scope): boolean {
  const { data, isError } = useServer();
  return offers(scope, data?.scopes, isError);
}

/** The scopes that a key lacks, in the order of the API. */
export function lacking(scopes: readonly string[]): Scope[] {
  return (['read', 'run', 'answer', 'author', 'operate', 'admin'] as const).filter((it) => !scopes.includes(it));
}
