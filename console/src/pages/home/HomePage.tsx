import { Alert, Anchor, Badge, Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { api, ApiError, unwrap, type Schemas } from '../../api/client';
import { Failure } from '../../components/Failure';
import { RunTable } from '../../components/RunTable';
import { inOneLine } from '../../lib/question';
import { postGraph, useInterrupts, useRuns, type RunStatusName } from '../../lib/queries';
import { useMay, useServer } from '../../lib/server';
import { when } from '../../lib/time';
import exampleGraph from './example.yaml?raw';
import { newestFirst } from './excerpt';
import { health } from './health';
import { texts } from './texts';
import { Workers } from './Workers';

const day = 24 * 60 * 60 * 1_000;
const shown = 5;
const busy: RunStatusName[] = ['queued', 'running', 'cancelling'];
const waiting: RunStatusName[] = ['waiting', 'interrupted'];

function runsPath(statuses: RunStatusName[], since?: string): string {
  const query = new URLSearchParams(statuses.map((it) => ['status', it]));
  if (since) query.set('created_after', since);
  return `/runs?${query}`;
}

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

function Server() {
  const server = useServer();
  const { data } = server;
  const state = health(data, server.error);
  return (
    <Card withBorder component="section" aria-label={texts.server.label}>
      <Group justify="space-between" gap="sm">
        <Group gap="md">
          <Text fw={600}>{data ? texts.server.version(data.version) : texts.server.label}</Text>
          {state && <Badge color={state.color}>{state.text}</Badge>}
          {data && (
            <>
              <Text size="sm">{texts.server.database(data.database_reachable)}</Text>
              {data.replicas !== undefined && <Text size="sm">{texts.server.replicas(data.replicas)}</Text>}
              {data.cell > 0 && <Text size="sm">{texts.server.cell(data.cell)}</Text>}
              <Text size="sm" c="dimmed">
                {texts.server.clock(when(data.time))}
              </Text>
            </>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          <Anchor href="/swagger-ui.html" size="sm">
            {texts.server.api}
          </Anchor>{' '}
          ·{' '}
          <Anchor href="/v3/api-docs.yaml" size="sm">
            {texts.server.document}
          </Anchor>
        </Text>
      </Group>
    </Card>
  );
}

function Section({ title, to, more, children }: { title: string; to: string; more: boolean; children: ReactNode }) {
  return (
    <Stack component="section" aria-label={title} gap="xs">
      <Group justify="space-between">
        <Title order={3} size="h4">
          {title}
        </Title>
        {more && (
          <Anchor component={Link} to={to} size="sm">
            {texts.all}
          </Anchor>
        )}
      </Group>
      {children}
    </Stack>
  );
}

/** Some runs, or a line that says that there are none. */
function Runs({ title, none, runs, to }: { title: string; none: string; runs: Schemas['RunSummary'][] | undefined; to: string }) {
  return (
    <Section title={title} to={to} more={!!runs && runs.length > shown}>
      {runs?.length === 0 && (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
      {runs && runs.length > 0 && <RunTable runs={runs.slice(0, shown)} />}
    </Section>
  );
}

function Questions({ interrupts }: { interrupts: Schemas['Interrupt'][] | undefined }) {
  return (
    <Section title={texts.questions} to="/inbox" more={!!interrupts?.length}>
      {interrupts?.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.noQuestions}
        </Text>
      )}
      {interrupts?.slice(0, shown).map((it) => (
        <div key={it.id}>
          <Anchor component={Link} to={`/runs/${encodeURIComponent(it.run_id)}`} className="line" display="block">
            {inOneLine(it)}
          </Anchor>
          <Text size="sm" c="dimmed">
            {texts.asked(it.graph, it.node, when(it.created_at))}
          </Text>
        </div>
      ))}
    </Section>
  );
}

async function runExample(): Promise<Schemas['Run']> {
  const { name: graph } = await postGraph(exampleGraph);
  const topics = ['cats', 'dogs', 'birds', 'owls'].map((name, index) => ({ name, seconds: index + 2 }));
  return unwrap(api.POST('/v1/runs', { body: { graph, input: { topics } } }));
}

/** What this server is and what goes on in it. */
export default function HomePage() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [since] = useState(() => new Date(Date.now() - day).toISOString());
  const mayWrite = useMay('author');
  const mayRun = useMay('run');
  const going = useRuns({ status: busy });
  const held = useRuns({ status: waiting });
  const failed = useRuns({ status: ['failed'], created_after: since });
  const newest = useRuns({}, shown + 3);
  const questions = useInterrupts();
  const example = useMutation({
    mutationFn: runExample,
    onSuccess: (run) => navigate(`/runs/${encodeURIComponent(run.id)}`),
    onSettled: () => queries.invalidateQueries(),
  });
  const { error } = newest;
  const first = (query: typeof going) => query.data?.pages[0];
  const runs = newest.data?.pages[0]?.items ?? [];
  const underWay = first(going) && first(held) && newestFirst([...first(going)!.items, ...first(held)!.items]);
  const mayTry = mayWrite && mayRun;
  return (
    <Stack>
      <Title order={2}>{texts.title}</Title>
      <Server />
      {error && <Failure error={error} retry={() => void queries.invalidateQueries()} />}
      {error && !(error instanceof ApiError) && <Alert color="red">{texts.unreachable}</Alert>}
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <Count label={texts.counts.running} value={first(going)?.items.length} more={!!first(going)?.next_cursor} to={runsPath(busy)} />
        <Count label={texts.counts.waiting} value={first(held)?.items.length} more={!!first(held)?.next_cursor} to={runsPath(waiting)} />
        <Count label={texts.counts.questions} value={questions.data?.items.length} more={!!questions.data?.next_cursor} to="/inbox" />
        <Count label={texts.counts.failed} value={first(failed)?.items.length} more={!!first(failed)?.next_cursor} to={runsPath(['failed'], since)} />
      </SimpleGrid>
      {newest.isSuccess && runs.length === 0 ? (
        <Card withBorder>
          <Stack align="flex-start">
            <Title order={3} size="h4">
              {texts.first.title}
            </Title>
            <Text>{texts.first.text}</Text>
            {mayTry ? (
              <Button loading={example.isPending} onClick={() => example.mutate()}>
                {texts.first.button}
              </Button>
            ) : (
              <Text c="dimmed">{texts.first.lacks}</Text>
            )}
          </Stack>
        </Card>
      ) : (
        <>
          <Questions interrupts={questions.data?.items} />
          <Workers />
          <Runs title={texts.underWay} none={texts.nothingUnderWay} runs={underWay} to={runsPath([...busy, ...waiting])} />
          <Runs title={texts.failures} none={texts.noFailures} runs={first(failed)?.items} to={runsPath(['failed'], since)} />
          <Stack component="section" aria-label={texts.newest} gap="xs">
            <Group justify="space-between">
              <Title order={3} size="h4">
                {texts.newest}
              </Title>
              {mayTry && (
                <Button size="xs" variant="light" loading={example.isPending} onClick={() => example.mutate()}>
                  {texts.again}
                </Button>
              )}
            </Group>
            <RunTable runs={runs} />
          </Stack>
        </>
      )}
      {example.error && <Failure error={example.error} />}
    </Stack>
  );
}
