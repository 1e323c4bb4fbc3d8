import './run.css';
import { Anchor, Badge, Button, Group, Loader, Stack, Tabs, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from 'react-router';
import { api, unwrap, type Schemas } from '../../api/client';
import { Allowed } from '../../components/Allowed';
import { Failure } from '../../components/Failure';
import { JsonValue } from '../../components/JsonValue';
import { Question } from '../../components/Question';
import { RunStatus } from '../../components/RunStatus';
import { cost } from '../../lib/cost';
import { ended } from '../../lib/queries';
import { useMay, useServer } from '../../lib/server';
import { took, when } from '../../lib/time';
import { texts as frame } from '../../texts';
import { runPath } from './addresses';
import { Compare } from './Compare';
import { RunFailure } from './ErrorHelp';
import { EventList } from './EventList';
import { useLive, useMarks, useRun, useRunData } from './live';
import { Progress } from './Progress';
import { TasksTab } from './TasksTab';
import { Talk } from './Talk';
import { texts } from './texts';
import { Timeline } from './Timeline';
import { TimeTravel } from './TimeTravel';
import { ToolCalls } from './ToolCalls';

type Act = 'cancel' | 'pause' | 'step' | 'resume';

function Actions({ run }: { run: Schemas['Run'] }) {
  const queries = useQueryClient();
  const params = { path: { id: run.id } };
  // Whoever ends a run that a task has begun says how that task ends.
  const mayCancel = useMay('answer') || run.parent?.task_id === undefined;
  const act = useMutation({
    mutationFn: (what: Act): Promise<unknown> =>
      what === 'resume' ? unwrap(api.POST('/v1/runs/{id}/resume', { params, body: {} })) : unwrap(api.POST(`/v1/runs/{id}/${what}`, { params })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['run', run.id] }),
  });
  const moves = run.status === 'queued' || run.status === 'running' || run.status === 'waiting';
  const stands = run.breakpoint !== undefined && run.interrupts.length === 0;
  return (
    <>
      <Group gap="xs">
        {mayCancel && !ended(run.status) && (
          <Button size="xs" variant="light" color="red" loading={act.isPending} onClick={() => act.mutate('cancel')}>
            {texts.cancel}
          </Button>
        )}
        {moves && (
          <Button size="xs" variant="light" loading={act.isPending} onClick={() => act.mutate('pause')}>
            {texts.pause}
          </Button>
        )}
        {stands && (
          <Button size="xs" variant="light" loading={act.isPending} onClick={() => act.mutate('step')}>
            {texts.step}
          </Button>
        )}
        {(run.status === 'failed' || run.breakpoint) && (
          <Button size="xs" loading={act.isPending} onClick={() => act.mutate('resume')}>
            {run.breakpoint ? texts.goOn : texts.resume}
          </Button>
        )}
      </Group>
      {moves && act.isSuccess && act.variables === 'pause' && (
        <Text size="sm" role="status">
          {texts.pausing}
        </Text>
      )}
      {act.error && <Failure error={act.error} />}
    </>
  );
}

function Facts({ run, lastSeq }: { run: Schemas['Run']; lastSeq: number }) {
  const { usage } = run;
  const spent = cost(usage, useServer().data?.currency);
  const marks = useMarks(run.id, lastSeq);
  const takeovers = marks.data?.filter((mark) => mark.type === 'run.taken_over').length ?? 0;
  return (
    <Group gap="lg">
      <Text size="sm">{texts.superstep(run.superstep)}</Text>
      <Text size="sm">{texts.created(when(run.created_at))}</Text>
      {run.finished_at && <Text size="sm">{texts.took(took(run.started_at, run.finished_at))}</Text>}
      {run.thread_id && (
        <Anchor component={Link} to={`/threads/${encodeURIComponent(run.thread_id)}`} size="sm">
          {texts.thread(run.thread_id)}
        </Anchor>
      )}
      {run.parent && (
        <Anchor component={Link} to={runPath(run.parent.run_id)} size="sm">
          {texts.parent(run.parent.run_id, run.parent.checkpoint, run.parent.task_id !== undefined)}
        </Anchor>
      )}
      {run.from && !run.parent && (
        <Anchor component={Link} to={runPath(run.from.run_id, 'checkpoints', run.from.checkpoint)} size="sm">
          {texts.from(run.from.run_id, run.from.checkpoint)}
        </Anchor>
      )}
      {usage.model_calls > 0 && (
        <Text size="sm" title={spent?.whole}>
          {texts.usage(usage.model_calls, usage.input_tokens, usage.output_tokens, spent?.text, spent?.lacks)}
        </Text>
      )}
      {takeovers > 0 && (
        <Anchor component={Link} to={runPath(run.id, 'timeline')} size="sm">
          {texts.takeovers(takeovers)}
        </Anchor>
      )}
    </Group>
  );
}

function Data({ of }: { of: Schemas['Run'] }) {
  const { data: run, error, refetch } = useRunData(of);
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (!run) return <Loader role="progressbar" aria-label={frame.loading} />;
  return (
    <Stack>
      <Title order={3} size="h5">
        {texts.data.input}
      </Title>
      <JsonValue value={run.input} label={texts.data.input} />
      <Title order={3} size="h5">
        {texts.data.output}
      </Title>
      {run.output === undefined ? <Text size="sm">{texts.data.noOutput}</Text> : <JsonValue value={run.output} label={texts.data.output} />}
      {Object.keys(run.metadata).length > 0 && <JsonValue value={run.metadata} label={texts.data.metadata} />}
    </Stack>
  );
}

/** What stands behind the tab in the address: the number of a checkpoint or an event. */
function numbered(part: string | undefined): number | undefined {
  return part !== undefined && /^\d{1,15}$/.test(part) ? Number(part) : undefined;
}

type Tab = keyof typeof texts.tabs;

function Content({ tab, part, run, live }: { tab: Tab; part?: string; run: Schemas['Run']; live: ReturnType<typeof useLive>['live'] }) {
  switch (tab) {
    case 'live':
      return <Progress run={run} live={live} />;
    case 'timeline':
      return <Timeline run={run} live={live} />;
    case 'checkpoints':
      return <TimeTravel run={run} asked={numbered(part)} />;
    case 'tasks':
      return <TasksTab run={run} live={live} selected={part} />;
    case 'tools':
      return <ToolCalls run={run} live={live} />;
    case 'events':
      return <EventList run={run.id} live={live} selected={numbered(part) || undefined} />;
    case 'data':
      return <Data of={run} />;
    case 'compare':
      return <Compare run={run} other={part} />;
  }
}

/** One run: live, over time, and back in time. The address says which part is shown, and what of it. */
export default function RunPage() {
  const { id = '', '*': rest = '' } = useParams();
  const navigate = useNavigate();
  const run = useRun(id);
  const { connection, live } = useLive(id, run.data);
  const [name, part] = rest.split('/').filter(Boolean);
  const tab: Tab = name !== undefined && Object.hasOwn(texts.tabs, name) ? (name as Tab) : 'live';
  if (run.error && !run.data) return <Failure error={run.error} retry={() => void run.refetch()} />;
  if (!run.data) return <Loader role="progressbar" aria-label={frame.loading} />;
  return (
    <Stack key={id}>
      <Group justify="space-between">
        <Title order={2} size="h3" className="whole">
          {id}
        </Title>
        <Allowed scope="run">
          <Actions run={run.data} />
        </Allowed>
      </Group>
      <Group>
        <RunStatus status={run.data.status} />
        <Anchor component={Link} to={`/graphs/${encodeURIComponent(run.data.graph)}/versions/${run.data.version}`} size="sm">
          {`${run.data.graph} v${run.data.version}`}
        </Anchor>
        <Badge color={connection === 'lost' ? 'red' : 'gray'}>{texts.connections[connection]}</Badge>
      </Group>
      <Facts run={run.data} lastSeq={live.lastSeq} />
      {run.data.breakpoint && <Text size="sm">{texts.stands(run.data.breakpoint.when, run.data.breakpoint.nodes)}</Text>}
      {run.data.error && <RunFailure error={run.data.error} run={id} />}
      {run.data.interrupts.map((interrupt) => <Question key={interrupt.id} interrupt={interrupt} />)}
      <Allowed scope="run">
        <Talk run={run.data} lastSeq={live.lastSeq} />
      </Allowed>
      <Tabs value={tab} onChange={(next) => void navigate(next === 'live' ? runPath(id) : runPath(id, next ?? ''))} keepMounted={false}>
        <Tabs.List>
          {(Object.keys(texts.tabs) as Tab[]).map((it) => (
            <Tabs.Tab key={it} value={it}>
              {texts.tabs[it]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} pt="md">
          <Content tab={tab} part={part} run={run.data} live={live} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
