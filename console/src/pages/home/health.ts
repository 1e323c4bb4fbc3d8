import type { Schemas } from '../../api/client';
import { ApiError } from '../../api/client';
import { texts } from './texts';

/** How a server fares, in a word and a colour; undefined while that is not known, or not for this key. */
export function health(server: Schemas['Server'] | undefined, error: Error | null): { text: string; color: string } | undefined {
  if (error instanceof ApiError && error.status < 500) return undefined;
  if (error) return { text: texts.server.silent, color: 'red' };
  if (!server) return undefined;
  if (!server.database_reachable) return { text: texts.server.noDatabase, color: 'red' };
  return server.ready ? { text: texts.server.healthy, color: 'green' } : { text: texts.server.notReady, color: 'yellow' };
}
