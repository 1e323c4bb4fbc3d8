import { Alert, Anchor, Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import fanOut from '../../../../examples/fan-out/graph.yaml?raw';
import { api, ApiError, unwrap, type Schemas } from '../../api/client';
import { Failure } from '../../components/Failure';
import { RunTable } from '../../components/RunTable';
import { active, postGraph, useGraphs, useInterrupts, useRuns } from '../../lib/queries';

const day = 24 * 60 * 60 * 1_000;

function Count({ label, value, more, to }: { label: string; value: number | undefined; more: boolean; to: string }) {
  return (
    <Card withBorder component={Link} to={to} c="inherit">
      <Text size="xl" fw={600}>
        {value === undefined ? '…' : `${value}${more ? '+' : ''}`}
      </Text>
      <Text size="sm">{label}</Text>
    </Card>
  );
}

async function runExample(): Promise<Schemas['Run']> {
  await postGraph(fanOut);
  const input = { topics: ['cats', 'dogs', 'birds', 'owls'] };
  return unwrap(api.POST('/v1/runs', { body: { graph: 'fan-out', input } }));
}

/** What this server is and what goes on in it. */
export default function HomePage() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [since] = useState(() => new Date(Date.now() - day).toISOString());
  const going = useRuns({ status: active });
  const failed = useRuns({ status: ['failed'], created_after: since });
  const newest = useRuns({}, 8);
  const questions = useInterrupts();
  const graphs = useGraphs();
  const example = useMutation({
    mutationFn: runExample,
    onSuccess: (run) => navigate(`/runs/${encodeURIComponent(run.id)}`),
    onSettled: () => queries.invalidateQueries(),
  });
  const error = newest.error ?? graphs.error;
  const first = (query: typeof going) => query.data?.pages[0];
  const runs = newest.data?.pages[0]?.items ?? [];
  const reachable = !(error && !(error instanceof ApiError));
  return (
    <Stack>
      <Title order={2}>Home</Title>
      {error && <Failure error={error} retry={() => void queries.invalidateQueries()} />}
      {!reachable && <Alert color="red">The service does not answer. It is asked again every few seconds.</Alert>}
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <Count label="runs under way" value={first(going)?.items.length} more={!!first(going)?.next_cursor} to={`/runs?${active.map((it) => `status=${it}`).join('&')}`} />
        <Count label="open questions" value={questions.data?.items.length} more={!!questions.data?.next_cursor} to="/inbox" />
        <Count label="failed in the last day" value={first(failed)?.items.length} more={!!first(failed)?.next_cursor} to={`/runs?status=failed&created_after=${encodeURIComponent(since)}`} />
        <Count label="graphs" value={graphs.data?.items.length} more={!!graphs.data?.next_cursor} to="/graphs" />
      </SimpleGrid>
      {newest.isSuccess && runs.length === 0 ? (
        <Card withBorder>
          <Stack align="flex-start">
            <Title order={3} size="h4">
              Nothing has run yet
            </Title>
            <Text>A small example plans, runs one task for each of four topics at the same time, and puts the results together. It needs no model.</Text>
            <Button loading={example.isPending} onClick={() => example.mutate()}>
              Load the example and run it
            </Button>
          </Stack>
        </Card>
      ) : (
        <>
          <Group justify="space-between">
            <Title order={3} size="h4">
              Newest runs
            </Title>
            <Button size="xs" variant="light" loading={example.isPending} onClick={() => example.mutate()}>
              Run the fan-out example
            </Button>
          </Group>
          <RunTable runs={runs} />
        </>
      )}
      {example.error && <Failure error={example.error} />}
      <Text size="sm" c="dimmed">
        This server: <Anchor href="/swagger-ui.html" size="sm">API by hand</Anchor> · <Anchor href="/v3/api-docs.yaml" size="sm">OpenAPI document</Anchor>
      </Text>
    </Stack>
  );
}
