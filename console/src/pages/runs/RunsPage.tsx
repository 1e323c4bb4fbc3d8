import { ActionIcon, Button, Group, Modal, MultiSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { api, unwrap } from '../../api/client';
import { Failure } from '../../components/Failure';
import { RunTable } from '../../components/RunTable';
import { useRuns } from '../../lib/queries';
import { useMay } from '../../lib/server';
import { instant, local, search, statuses } from './search';
import { texts } from './texts';

const filters = ['graph', 'thread_id', 'error_code', 'metadata'] as const;
const hour = 60 * 60 * 1_000;
const spans = [
  [texts.lastHour, hour],
  [texts.lastDay, 24 * hour],
  [texts.lastWeek, 7 * 24 * hour],
] as const;

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

const { actions } = texts;
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

/** A time of the browser's own place; the address has it in UTC. */
function TimeField({ label, value, onChange }: { label: string; value: string | null; onChange: (time: string) => void }) {
  return <TextInput type="datetime-local" label={label} size="xs" value={local(value)} onChange={(event) => onChange(instant(event.currentTarget.value) ?? '')} />;
}

/** All runs: searched by what the address says, chosen, and acted upon. */
export default function RunsPage() {
  const [params, setParams] = useSearchParams();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [action, setAction] = useState<Action>();
  const mayRun = useMay('run');
  const mayDelete = useMay('operate');
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
  const last = (span: number) =>
    setParams(
      (before) => {
        before.set('created_after', new Date(Date.now() - span).toISOString());
        before.delete('created_before');
        return before;
      },
      { replace: true },
    );
  const choose = (id: string, on: boolean) =>
    setChosen((before) => {
      const next = new Set(before);
      if (on) next.add(id);
      else next.delete(id);
      return next;
    });
  const offered = (Object.keys(actions) as Action[]).filter((name) => (name === 'delete' ? mayDelete : mayRun));
  const items = runs.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Stack>
      <Title order={2}>{texts.title}</Title>
      <Group align="flex-end" role="search" aria-label={texts.search} gap="sm">
        {filters.map((name) => (
          <TextInput
            key={name}
            label={texts.filters[name]}
            size="xs"
            value={params.get(name) ?? ''}
            onChange={(event) => set(name, [event.currentTarget.value])}
          />
        ))}
        <MultiSelect label={texts.status} size="xs" data={statuses} value={params.getAll('status')} onChange={(values) => set('status', values)} clearable miw={160} />
        <TimeField label={texts.from} value={params.get('created_after')} onChange={(time) => set('created_after', [time])} />
        <TimeField label={texts.to} value={params.get('created_before')} onChange={(time) => set('created_before', [time])} />
        <Group gap={4} role="group" aria-label={texts.spans}>
          <Text size="xs" c="dimmed">
            {texts.spans}
          </Text>
          {spans.map(([label, span]) => (
            <Button key={label} size="compact-xs" variant="default" onClick={() => last(span)}>
              {label}
            </Button>
          ))}
        </Group>
        {params.size > 0 && (
          <ActionIcon variant="subtle" color="gray" aria-label={texts.clear} onClick={() => setParams({}, { replace: true })}>
            <IconX size={16} />
          </ActionIcon>
        )}
      </Group>
      {chosen.size > 0 && (
        <Group>
          <Text size="sm">{texts.chosen(chosen.size)}</Text>
          {offered.map((name) => (
            <Button key={name} size="xs" variant="light" color={name === 'delete' ? 'red' : undefined} onClick={() => setAction(name)}>
              {actions[name].label}
            </Button>
          ))}
        </Group>
      )}
      {act.error && <Failure error={act.error} />}
      {runs.error && <Failure error={runs.error} retry={() => void runs.refetch()} />}
      {runs.isSuccess && items.length === 0 && <Text>{params.size > 0 ? texts.none : texts.nothing}</Text>}
      {items.length > 0 && (
        <RunTable
          runs={items}
          selected={chosen}
          onSelect={offered.length ? choose : undefined}
        />
      )}
      {runs.hasNextPage && (
        <Button variant="default" onClick={() => void runs.fetchNextPage()} loading={runs.isFetchingNextPage}>
          {texts.older}
        </Button>
      )}
      <Modal opened={action !== undefined} onClose={() => setAction(undefined)} title={action && actions[action].label}>
        <Stack>
          <Text>{action && actions[action].sure}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setAction(undefined)}>
              {texts.no}
            </Button>
            <Button color={action === 'delete' ? 'red' : undefined} loading={act.isPending} onClick={() => action && act.mutate(action)}>
              {texts.yes(action ?? '', chosen.size)}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Stack>
  );
}
