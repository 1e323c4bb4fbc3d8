import { Anchor, Badge, Button, Card, Group, Loader, Stack, Table, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Route, Routes, useParams } from 'react-router';
import { api, unwrap, type Schemas } from '../../api/client';
import { Failure } from '../../components/Failure';
import { when } from '../../lib/time';
import { texts as frame } from '../../texts';
import { texts } from './texts';

type Delivery = Schemas['Delivery'];

const colors = { pending: 'blue', delivered: 'green', dead: 'red' } as const;

function DeliveryRow({ webhook, delivery }: { webhook: string; delivery: Delivery }) {
  const client = useQueryClient();
  const replay = useMutation({
    mutationFn: () => unwrap(api.POST('/v1/webhooks/{id}/deliveries/{delivery}:replay', { params: { path: { id: webhook, delivery: delivery.id } } })),
    onSettled: () => client.invalidateQueries({ queryKey: ['webhook', webhook] }),
  });
  const { last_attempt: attempt } = delivery;
  return (
    <Table.Tr>
      <Table.Td>{delivery.type}</Table.Td>
      <Table.Td>
        <Anchor component={Link} to={`/runs/${encodeURIComponent(delivery.run_id)}`} ff="monospace" size="sm" className="cut" title={delivery.run_id}>
          {delivery.run_id}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <Badge color={colors[delivery.status]} miw="max-content">
          {texts.status[delivery.status]}
        </Badge>
      </Table.Td>
      <Table.Td title={attempt.answer}>{texts.attempt(attempt.number, attempt.status)}</Table.Td>
      <Table.Td>
        <Text size="sm">{when(delivery.created_at)}</Text>
      </Table.Td>
      <Table.Td>
        <Button size="xs" variant="default" loading={replay.isPending} onClick={() => replay.mutate()}>
          {texts.replay}
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}

function Deliveries({ webhook }: { webhook: string }) {
  const log = useInfiniteQuery({
    queryKey: ['webhook', webhook, 'deliveries'],
    queryFn: ({ pageParam }) => unwrap(api.GET('/v1/webhooks/{id}/deliveries', { params: { path: { id: webhook }, query: { limit: 50, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 1) > 1 ? false : 3_000),
  });
  const items = log.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      {log.error && <Failure error={log.error} retry={() => void log.refetch()} />}
      {log.isSuccess && items.length === 0 && <Text>{texts.noDelivery}</Text>}
      {items.length > 0 && (
        <Table.ScrollContainer minWidth={640}>
          <Table aria-label={texts.deliveries}>
            <Table.Thead>
              <Table.Tr>
                {texts.columns.map((title) => (title === '' ? <Table.Td key={title} /> : <Table.Th key={title}>{title}</Table.Th>))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {items.map((delivery) => (
                <DeliveryRow key={delivery.id} webhook={webhook} delivery={delivery} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {log.hasNextPage && (
        <Button variant="default" onClick={() => void log.fetchNextPage()} loading={log.isFetchingNextPage}>
          {texts.older}
        </Button>
      )}
    </>
  );
}

function Webhook() {
  const { id = '' } = useParams();
  const client = useQueryClient();
  const params = { path: { id } };
  const webhook = useQuery({ queryKey: ['webhook', id], queryFn: () => unwrap(api.GET('/v1/webhooks/{id}', { params })), refetchInterval: 3_000 });
  const changed = () => client.invalidateQueries({ queryKey: ['webhook', id] });
  const pause = useMutation({ mutationFn: (paused: boolean) => unwrap(api.PATCH('/v1/webhooks/{id}', { params, body: { paused } })), onSettled: changed });
  const replay = useMutation({
    mutationFn: () => unwrap(api.POST('/v1/webhooks/{id}/deliveries:replay', { params })),
    onSuccess: (answer) => notifications.show({ message: texts.replayed(answer.replayed) }),
    onSettled: changed,
  });
  if (webhook.error) return <Failure error={webhook.error} retry={() => void webhook.refetch()} />;
  if (!webhook.data) return <Loader role="progressbar" aria-label={frame.loading} />;
  const { url, paused, description, events } = webhook.data;
  return (
    <Stack>
      <Title order={2} style={{ overflowWrap: 'anywhere' }}>
        {url ?? texts.ofRuns}
      </Title>
      {description && <Text>{description}</Text>}
      <Group>
        {events.map((event) => (
          <Badge key={event} color="gray">
            {event}
          </Badge>
        ))}
      </Group>
      <Group>
        <Button variant="default" loading={pause.isPending} onClick={() => pause.mutate(!paused)}>
          {paused ? texts.goOn : texts.pause}
        </Button>
        <Button variant="default" loading={replay.isPending} onClick={() => replay.mutate()}>
          {texts.replayAll}
        </Button>
      </Group>
      {[pause.error, replay.error].map((error, index) => error && <Failure key={index} error={error} />)}
      <Title order={3} size="h4">
        {texts.deliveries}
      </Title>
      <Deliveries webhook={id} />
    </Stack>
  );
}

function Webhooks() {
  const webhooks = useQuery({ queryKey: ['webhooks'], queryFn: () => unwrap(api.GET('/v1/webhooks', { params: { query: { limit: 200 } } })), refetchInterval: 3_000 });
  const items = webhooks.data?.items ?? [];
  return (
    <Stack>
      <Title order={2}>{texts.title}</Title>
      {webhooks.error && <Failure error={webhooks.error} retry={() => void webhooks.refetch()} />}
      {webhooks.isSuccess && items.length === 0 && <Text>{texts.none}</Text>}
      {items.map((webhook) => (
        <Card key={webhook.id} withBorder>
          <Group justify="space-between">
            <Anchor component={Link} to={`/webhooks/${encodeURIComponent(webhook.id)}`} className="cut">
              {webhook.url ?? texts.ofRuns}
            </Anchor>
            <Group>
              {webhook.paused && <Badge color="yellow">{texts.paused}</Badge>}
              <Text size="sm">{when(webhook.created_at)}</Text>
            </Group>
          </Group>
        </Card>
      ))}
    </Stack>
  );
}

/** Who is told what happens in runs, and what came of it. */
export default function WebhooksPage() {
  return (
    <Routes>
      <Route index element={<Webhooks />} />
      <Route path=":id" element={<Webhook />} />
    </Routes>
  );
}
