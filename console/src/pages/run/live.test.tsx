import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { howMany } from '../../lib/counts';
import { useCounts, useLive, useRun } from './live';

/** What the service answers: the client takes the browser's `fetch` as it finds it. */
const service = vi.hoisted(() => {
  const answers: { run: object; nodes: object } = { run: {}, nodes: {} };
  globalThis.fetch = (input) => {
    const { url } = input as Request;
    return Promise.resolve(new Response(JSON.stringify(url.includes('/nodes') ? answers.nodes : answers.run), { headers: { 'Content-Type': 'application/json' } }));
  };
  return answers;
});

function tell(status: string, checkpoint: number, statuses: Record<string, number>) {
  service.run = { id: 'r', status, checkpoint };
  service.nodes = { superstep: 1, committed: [], open: [{ node: 'read', superstep: 2, tasks: 2, statuses, newest: statuses, retried: 0, busy_ms: 0, longest_ms: 0 }] };
}

afterEach(cleanup);

it('counts again when a run at rest was read and has changed, which no stream tells', async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  tell('interrupted', 2, { waiting: 2 });
  const { result } = renderHook(
    () => {
      useLive('r', useRun('r').data);
      return useCounts('r').data;
    },
    { wrapper: ({ children }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider> },
  );
  const done = () => result.current && howMany(result.current, 'read', 'succeeded');
  await waitFor(() => expect(done()).toBe(0));
  const poll = () => queries.refetchQueries({ queryKey: ['run', 'r'], exact: true });
  tell('interrupted', 3, { succeeded: 1, waiting: 1 });
  await poll();
  await waitFor(() => expect(done()).toBe(1));
  tell('succeeded', 4, { succeeded: 2 });
  await poll();
  await waitFor(() => expect(done()).toBe(2));
});
