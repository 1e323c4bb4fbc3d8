import { Alert, Anchor, Badge, Button, Group, Loader, Stack, Tabs, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from 'react-router';
import { api, unwrap, type Schemas } from '../../api/client';
import { Failure } from '../../components/Failure';
import { JsonValue } from '../../components/JsonValue';
import { Question } from '../../components/Question';
import { RunStatus } from '../../components/RunStatus';
import { ended } from '../../lib/queries';
import { took, when } from '../../lib/time';
import { texts } from '../../texts';
import { EventList } from './EventList';
import { useLive, useRun } from './live';
import { Progress } from './Progress';
import { Timeline } from './Timeline';
import { TimeTravel } from './TimeTravel';

const connections = {
  connecting: 'connecting to the stream',
  open: 'live',
  lost: 'the connection is lost; trying again',
  ended: 'at rest',
};

function Actions({ run }: { run: Schemas['Run'] }) {
  const queries = useQueryClient();
  const params = { path: { id: run.id } };
  const act = useMutation({
    mutationFn: (what: 'cancel' | 'resume'): Promise<unknown> =>
      what === 'cancel' ? unwrap(api.POST('/v1/runs/{id}/cancel', { params })) : unwrap(api.POST('/v1/runs/{id}/resume', { params, body: {} })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['run', run.id] }),
  });
  return (
    <>
      <Group gap="xs">
        {!ended(run.status) && (
          <Button size="xs" variant="light" color="red" loading={act.isPending} onClick={() => act.mutate('cancel')}>
            Cancel
          </Button>
        )}
        {(run.status === 'failed' || run.breakpoint) && (
          <Button size="xs" loading={act.isPending} onClick={() => act.mutate('resume')}>
            Resume
          </Button>
        )}
      </Group>
      {act.error && <Failure error={act.error} />}
    </>
  );
}

function RunFailure({ error }: { error: Schemas['RunError'] }) {
  const place = [error.node && `node ${error.node}`, error.superstep !== undefined && `superstep ${error.superstep}`, error.attempt && `attempt ${error.attempt}`].filter(Boolean).join(', ');
  return (
    <Alert color="red" title={error.code}>
      <Text size="sm">{error.message}</Text>
      {place && (
        <Text size="sm" c="dimmed">
          {place}
        </Text>
      )}
      <Anchor href={`/v1/error-codes/${encodeURIComponent(error.code)}`} size="sm">
        What it means and what to do
      </Anchor>
    </Alert>
  );
}

function Facts({ run }: { run: Schemas['Run'] }) {
  const { usage } = run;
  return (
    <Group gap="lg">
      <Text size="sm">{`Superstep ${run.superstep}`}</Text>
      <Text size="sm">{`Created ${when(run.created_at)}`}</Text>
      {run.finished_at && <Text size="sm">{`Took ${took(run.started_at, run.finished_at)}`}</Text>}
      {run.thread_id && (
        <Anchor component={Link} to={`/threads/${encodeURIComponent(run.thread_id)}`} size="sm">
          {`Thread ${run.thread_id}`}
        </Anchor>
      )}
      {run.parent && (
        <Anchor component={Link} to={`/runs/${encodeURIComponent(run.parent.run_id)}`} size="sm">
          {`${run.parent.task_id ? 'Begun by' : 'Forked from'} ${run.parent.run_id}, checkpoint ${run.parent.checkpoint}`}
        </Anchor>
      )}
      {usage.model_calls > 0 && <Text size="sm">{`${usage.model_calls} model calls, ${usage.input_tokens} tokens in, ${usage.output_tokens} out`}</Text>}
    </Group>
  );
}

/** One run: live, over time, and back in time. The address says which part is shown. */
export default function RunPage() {
  const { id = '', '*': rest = '' } = useParams();
  const navigate = useNavigate();
  const run = useRun(id);
  const live = useLive(id);
  const [tab = ''] = rest.split('/');
  if (run.error) return <Failure error={run.error} retry={() => void run.refetch()} />;
  if (!run.data) return <Loader aria-label={texts.loading} />;
  const base = `/runs/${encodeURIComponent(id)}`;
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h3" className="whole">
          {id}
        </Title>
        <Actions run={run.data} />
      </Group>
      <Group>
        <RunStatus status={run.data.status} />
        <Anchor component={Link} to={`/graphs/${run.data.graph}/versions/${run.data.version}`} size="sm">
          {`${run.data.graph} v${run.data.version}`}
        </Anchor>
        <Badge color={live.connection === 'lost' ? 'red' : 'gray'}>
          {connections[live.connection]}
        </Badge>
      </Group>
      <Facts run={run.data} />
      {run.data.error && <RunFailure error={run.data.error} />}
      {run.data.interrupts.map((interrupt) => <Question key={interrupt.id} interrupt={interrupt} />)}
      <Tabs value={tab || 'live'} onChange={(next) => void navigate(next === 'live' ? base : `${base}/${next}`)} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="live">Live</Tabs.Tab>
          <Tabs.Tab value="timeline">Timeline</Tabs.Tab>
          <Tabs.Tab value="checkpoints">Time travel</Tabs.Tab>
          <Tabs.Tab value="events">Events</Tabs.Tab>
          <Tabs.Tab value="data">Input and output</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="live" pt="md">
          <Progress run={run.data} words={live.words} />
        </Tabs.Panel>
        <Tabs.Panel value="timeline" pt="md">
          <Timeline run={id} />
        </Tabs.Panel>
        <Tabs.Panel value="checkpoints" pt="md">
          <TimeTravel run={run.data} />
        </Tabs.Panel>
        <Tabs.Panel value="events" pt="md">
          <EventList run={id} />
        </Tabs.Panel>
        <Tabs.Panel value="data" pt="md">
          <Stack>
            <Title order={3} size="h5">
              Input
            </Title>
            <JsonValue value={run.data.input} label="Input" />
            <Title order={3} size="h5">
              Output
            </Title>
            {run.data.output === undefined ? <Text size="sm">There is none yet.</Text> : <JsonValue value={run.data.output} label="Output" />}
            {Object.keys(run.data.metadata).length > 0 && <JsonValue value={run.data.metadata} label="Metadata" />}
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
