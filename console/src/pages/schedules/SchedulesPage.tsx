import { Anchor, Badge, Button, Group, Loader, Stack, Table, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, Route, Routes, useParams } from 'react-router';
import { api, unwrap, type Schemas } from '../../api/client';
import { Allowed } from '../../components/Allowed';
import { Facts } from '../../components/Facts';
import { Failure } from '../../components/Failure';
import { JsonValue } from '../../components/JsonValue';
import { when } from '../../lib/time';
import { texts as frame } from '../../texts';
import { texts } from './texts';

type Schedule = Schemas['Schedule'];

const colors = { waiting: 'blue', started: 'green', missed: 'yellow' } as const;

function Columns({ label, titles, children }: { label: string; titles: string[]; children: ReactNode }) {
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table aria-label={label}>
        <Table.Thead>
          <Table.Tr>{titles.map((title) => (title === '' ? <Table.Td key={title} /> : <Table.Th key={title}>{title}</Table.Th>))}</Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function GraphLink({ name }: { name: string }) {
  return (
    <Anchor component={Link} to={`/graphs/${encodeURIComponent(name)}`} size="sm" className="cut" title={name}>
      {name}
    </Anchor>
  );
}

function Pause({ schedule }: { schedule: Schedule }) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (paused: boolean) => unwrap(api.PATCH('/v1/schedules/{id}', { params: { path: { id: schedule.id } }, body: { paused } })),
    onSettled: () => client.invalidateQueries({ queryKey: ['schedules'] }),
  });
  return (
    <Allowed scope="run">
      <Stack gap="xs" align="flex-start">
        <Button size="xs" variant="default" loading={change.isPending} onClick={() => change.mutate(!schedule.paused)}>
          {schedule.paused ? texts.goOn : texts.pause}
        </Button>
        {change.error && <Failure error={change.error} />}
      </Stack>
    </Allowed>
  );
}

const times = (schedule: Schedule) => `${schedule.cron} ${schedule.zone}`;

function Next({ schedule }: { schedule: Schedule }) {
  if (schedule.paused) return <Badge color="yellow">{texts.paused}</Badge>;
  return schedule.next[0] ? <Text size="sm">{when(schedule.next[0])}</Text> : <Badge color="gray">{texts.over}</Badge>;
}

function Starts({ starts = [] }: { starts?: Schemas['ScheduleStart'][] }) {
  if (starts.length === 0) return <Text>{texts.noStart}</Text>;
  return (
    <Columns label={texts.starts} titles={texts.startColumns}>
      {starts.map((start) => (
        <Table.Tr key={start.planned_at}>
          <Table.Td>{when(start.planned_at)}</Table.Td>
          <Table.Td>
            <Badge color={colors[start.status]} miw="max-content">
              {texts.status[start.status]}
            </Badge>
          </Table.Td>
          <Table.Td>
            {start.run_id ? (
              <Anchor component={Link} to={`/runs/${encodeURIComponent(start.run_id)}`} ff="monospace" size="sm" className="cut" title={start.run_id}>
                {start.run_id}
              </Anchor>
            ) : (
              <Text size="sm">{[start.reason, start.detail].filter(Boolean).join(': ')}</Text>
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    </Columns>
  );
}

function OneSchedule() {
  const { id = '' } = useParams();
  const found = useQuery({ queryKey: ['schedules', id], queryFn: () => unwrap(api.GET('/v1/schedules/{id}', { params: { path: { id } } })), refetchInterval: 3_000 });
  if (found.error) return <Failure error={found.error} retry={() => void found.refetch()} />;
  if (!found.data) return <Loader role="progressbar" aria-label={frame.loading} />;
  const schedule = found.data;
  const { facts } = texts;
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} className="written">
          {id}
        </Title>
        <Group>
          {schedule.paused && <Badge color="yellow">{texts.paused}</Badge>}
          <Pause schedule={schedule} />
        </Group>
      </Group>
      {schedule.trigger && <Text>{texts.ofGraph(schedule.trigger)}</Text>}
      <Facts
        label={id}
        facts={[
          [facts.graph, schedule.graph],
          [facts.times, times(schedule)],
          [facts.jitter, schedule.jitter],
          [facts.overlap, schedule.overlap],
          [facts.catch_up, schedule.catch_up],
          ...(schedule.ends_at ? [[facts.ends_at, when(schedule.ends_at)] as [string, unknown]] : []),
        ]}
      />
      <Title order={3} size="h4">
        {texts.next}
      </Title>
      {schedule.next.length === 0 && <Text>{texts.noNext}</Text>}
      {schedule.next.map((time) => (
        <Text key={time} size="sm">
          {when(time)}
        </Text>
      ))}
      <Title order={3} size="h4">
        {texts.starts}
      </Title>
      <Starts starts={schedule.starts} />
      <Title order={3} size="h4">
        {texts.request}
      </Title>
      <JsonValue value={schedule.run} label={texts.request} />
    </Stack>
  );
}

function Triggers() {
  const triggers = useInfiniteQuery({
    queryKey: ['triggers'],
    queryFn: ({ pageParam }) => unwrap(api.GET('/v1/triggers', { params: { query: { limit: 50, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
  });
  const items = triggers.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <Title order={3} size="h4">
        {texts.triggers}
      </Title>
      {triggers.error && <Failure error={triggers.error} retry={() => void triggers.refetch()} />}
      {triggers.isSuccess && items.length === 0 && <Text>{texts.noTrigger}</Text>}
      {items.length > 0 && (
        <Columns label={texts.triggers} titles={texts.triggerColumns}>
          {items.map((it) => (
            <Table.Tr key={`${it.graph} ${it.trigger}`}>
              <Table.Td>
                <GraphLink name={it.graph} />
              </Table.Td>
              <Table.Td>{it.trigger}</Table.Td>
              <Table.Td>{it.event === undefined ? texts.webhook(it.scheme ?? '', it.path ?? '') : texts.event(it.event)}</Table.Td>
              <Table.Td>
                <Text size="sm" ff="monospace" className="written">
                  {it.condition}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Columns>
      )}
      {triggers.hasNextPage && (
        <Button variant="default" onClick={() => void triggers.fetchNextPage()} loading={triggers.isFetchingNextPage}>
          {texts.older}
        </Button>
      )}
    </>
  );
}

function Schedules() {
  const schedules = useInfiniteQuery({
    queryKey: ['schedules'],
    queryFn: ({ pageParam }) => unwrap(api.GET('/v1/schedules', { params: { query: { limit: 50, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 1) > 1 ? false : 3_000),
  });
  const items = schedules.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Stack>
      <Title order={2}>{texts.title}</Title>
      {schedules.error && <Failure error={schedules.error} retry={() => void schedules.refetch()} />}
      {schedules.isSuccess && items.length === 0 && <Text>{texts.none}</Text>}
      {items.length > 0 && (
        <Columns label={texts.title} titles={texts.columns}>
          {items.map((it) => (
            <Table.Tr key={it.id}>
              <Table.Td>
                <Anchor component={Link} to={`/schedules/${encodeURIComponent(it.id)}`} size="sm" className="cut" title={it.id}>
                  {it.id}
                </Anchor>
              </Table.Td>
              <Table.Td>
                <GraphLink name={it.graph} />
              </Table.Td>
              <Table.Td>{times(it)}</Table.Td>
              <Table.Td>
                <Next schedule={it} />
              </Table.Td>
              <Table.Td>
                <Pause schedule={it} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Columns>
      )}
      {schedules.hasNextPage && (
        <Button variant="default" onClick={() => void schedules.fetchNextPage()} loading={schedules.isFetchingNextPage}>
          {texts.older}
        </Button>
      )}
      <Triggers />
    </Stack>
  );
}

/** What starts runs by itself, and what has come of it. */
export default function SchedulesPage() {
  return (
    <Routes>
      <Route index element={<Schedules />} />
      <Route path=":id" element={<OneSchedule />} />
    </Routes>
  );
}
