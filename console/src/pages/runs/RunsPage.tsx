import { Button, Group, Modal, MultiSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { api, unwrap } from '../../api/client';
import { Failure } from '../../components/Failure';
import { RunTable } from '../../components/RunTable';
import { useRuns, type RunSearch, type RunStatusName } from '../../lib/queries';

const statuses: RunStatusName[] = ['queued', 'running', 'waiting', 'interrupted', 'failed', 'cancelling', 'succeeded', 'cancelled'];
const filters = [
  ['graph', 'Graph'],
  ['thread_id', 'Thread'],
  ['error_code', 'Error code'],
  ['metadata', 'Metadata (key:value)'],
] as const;

function search(params: URLSearchParams): RunSearch {
  const text = (name: string) => params.get(name) || undefined;
  const metadata = text('metadata');
  return {
    graph: text('graph'),
    thread_id: text('thread_id'),
    error_code: text('error_code'),
    metadata: metadata ? [metadata] : undefined,
    status: params.getAll('status').filter((it): it is RunStatusName => statuses.includes(it as RunStatusName)),
    created_after: text('created_after'),
  };
}

/** One call per chosen run, one after the other; what fails is told, the rest is done. */
async function each(ids: string[], call: (id: string) => Promise<unknown>) {
  const failures: string[] = [];
  for (const id of ids) {
    try {
      await call(id);
    } catch (error) {
      failures.push(`${id}: ${(error as Error).message}`);
    }
  }
  if (failures.length) throw new Error(failures.join('\n'));
}

const actions = {
  cancel: { label: 'Cancel', sure: 'Cancel these runs? What they have committed stays.' },
  resume: { label: 'Resume', sure: 'Run what has failed in these runs again?' },
  delete: { label: 'Delete', sure: 'Delete these runs with their checkpoints and events? This cannot be undone.' },
};
type Action = keyof typeof actions;

function perform(action: Action, id: string): Promise<unknown> {
  const params = { path: { id } };
  switch (action) {
    case 'cancel':
      return unwrap(api.POST('/v1/runs/{id}/cancel', { params }));
    case 'resume':
      return unwrap(api.POST('/v1/runs/{id}/resume', { params, body: {} }));
    case 'delete':
      return unwrap(api.DELETE('/v1/runs/{id}', { params }));
  }
}

/** All runs: searched by what the address says, chosen, and acted upon. */
export default function RunsPage() {
  const [params, setParams] = useSearchParams();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [action, setAction] = useState<Action>();
  const runs = useRuns(search(params));
  const act = useMutation({
    mutationFn: (what: Action) => each([...chosen], (id) => perform(what, id)),
    onSuccess: () => setChosen(new Set()),
    onSettled: () => {
      setAction(undefined);
      return queries.invalidateQueries({ queryKey: ['runs'] });
    },
  });
  const set = (name: string, values: string[]) =>
    setParams(
      (before) => {
        before.delete(name);
        values.filter(Boolean).forEach((value) => before.append(name, value));
        return before;
      },
      { replace: true },
    );
  const items = runs.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Stack>
      <Title order={2}>Runs</Title>
      <Group align="flex-end" role="search" aria-label="Search runs">
        {filters.map(([name, label]) => (
          <TextInput
            key={name}
            label={label}
            size="xs"
            value={params.get(name) ?? ''}
            onChange={(event) => set(name, [event.currentTarget.value])}
          />
        ))}
        <MultiSelect label="Status" size="xs" data={statuses} value={params.getAll('status')} onChange={(values) => set('status', values)} clearable miw={160} />
      </Group>
      {chosen.size > 0 && (
        <Group>
          <Text size="sm">{`${chosen.size} chosen`}</Text>
          {(Object.keys(actions) as Action[]).map((name) => (
            <Button key={name} size="xs" variant="light" color={name === 'delete' ? 'red' : undefined} onClick={() => setAction(name)}>
              {actions[name].label}
            </Button>
          ))}
        </Group>
      )}
      {act.error && <Failure error={act.error} />}
      {runs.error && <Failure error={runs.error} retry={() => void runs.refetch()} />}
      {runs.isSuccess && items.length === 0 && <Text>No run is like this.</Text>}
      {items.length > 0 && (
        <RunTable
          runs={items}
          selected={chosen}
          onSelect={(id, on) =>
            setChosen((before) => {
              const next = new Set(before);
              if (on) next.add(id);
              else next.delete(id);
              return next;
            })
          }
        />
      )}
      {runs.hasNextPage && (
        <Button variant="default" onClick={() => void runs.fetchNextPage()} loading={runs.isFetchingNextPage}>
          Older runs
        </Button>
      )}
      <Modal opened={action !== undefined} onClose={() => setAction(undefined)} title={action && actions[action].label}>
        <Stack>
          <Text>{action && actions[action].sure}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setAction(undefined)}>
              No
            </Button>
            <Button color={action === 'delete' ? 'red' : undefined} loading={act.isPending} onClick={() => action && act.mutate(action)}>
              {`Yes, ${action ?? ''} ${chosen.size}`}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Stack>
  );
}
