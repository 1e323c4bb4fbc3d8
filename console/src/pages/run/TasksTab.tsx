import { Anchor, Group, Loader, Select, Stack, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Schemas } from '../../api/client';
import { Failure } from '../../components/Failure';
import { JsonValue } from '../../components/JsonValue';
import { cost } from '../../lib/cost';
import { howMany } from '../../lib/counts';
import type { LiveRun } from '../../lib/live';
import { useServer } from '../../lib/server';
import { doing, type RunTask } from '../../lib/tasks';
import { took, when } from '../../lib/time';
import { toolCalls, trace } from '../../lib/toolCalls';
import { texts as frame } from '../../texts';
import { runPath } from './addresses';
import { RunFailure } from './ErrorHelp';
import { useCounts, useShownTasks, useTask } from './live';
import { DoingBadge, TaskList } from './TaskList';
import { ToolCallCard } from './ToolCalls';
import { texts } from './texts';

function Value({ title, value, label }: { title: string; value: unknown; label: string }) {
  if (value === undefined) return null;
  return (
    <>
      <Text fw={600}>{title}</Text>
      <JsonValue value={value} label={label} />
    </>
  );
}

/** All of one task; its address is that of the page. */
function Details({ run, listed, id, committed }: { run: string; listed: RunTask | undefined; id: string; committed: number }) {
  const asked = useTask(run, listed, id);
  const currency = useServer().data?.currency;
  const whole = asked.data?.task_id === id ? asked.data : undefined;
  const task = whole ?? listed;
  if (asked.error) return <Failure error={asked.error} retry={() => void asked.refetch()} />;
  if (!task) return <Text>{asked.isFetching ? '' : texts.tasks.missing}</Text>;
  const spent = cost(task.usage, currency);
  const found = trace(whole?.change);
  return (
    <Stack role="region" aria-label={texts.tasks.details(id)} gap="xs">
      <Group>
        <Title order={3} size="h5" className="whole">
          {texts.tasks.details(id)}
        </Title>
        <DoingBadge now={doing(listed ?? task, committed)} />
      </Group>
      <Text size="sm">{texts.tasks.facts(task.superstep, task.attempts, when(task.started_at), took(task.started_at, task.finished_at))}</Text>
      {task.usage && (
        <Text size="sm" title={spent?.whole}>
          {texts.usage(task.usage.model_calls, task.usage.input_tokens, task.usage.output_tokens, spent?.text, spent?.lacks)}
        </Text>
      )}
      {task.child_run_id && (
        <Anchor component={Link} to={runPath(task.child_run_id)}>
          {texts.tasks.child(task.child_run_id)}
        </Anchor>
      )}
      {task.error && <RunFailure error={task.error} />}
      {found && (
        <>
          <Text fw={600}>{texts.tasks.tools}</Text>
          {toolCalls([{ ...task, trace: found }]).map((call, index) => <ToolCallCard key={index} run={run} call={call} />)}
        </>
      )}
      <Value title={texts.tasks.input} value={whole?.input} label={texts.tasks.inputLabel} />
      <Value title={texts.tasks.change} value={whole?.change} label={texts.tasks.changeLabel} />
      <Value title={texts.tasks.compacted} value={whole?.compacted} label={texts.tasks.compacted} />
      {task.idempotency_key && (
        <Text size="xs" c="dimmed" className="whole">
          {texts.tasks.key(task.idempotency_key)}
        </Text>
      )}
    </Stack>
  );
}

const statuses: Schemas['Task']['status'][] = ['running', 'waiting', 'succeeded', 'handled', 'failed', 'interrupted', 'cancelled'];

/** The tasks of a run by node and status, and the one that the address names with all of it. */
export function TasksTab({ run, live, selected }: { run: Schemas['Run']; live: LiveRun; selected?: string }) {
  const { tasks, committed, book, query } = useShownTasks(run, live);
  const counts = useCounts(run.id).data;
  const [params, setParams] = useSearchParams();
  const [node, status] = [params.get('node'), params.get('status')];
  const nodes = useMemo(() => [...new Set(tasks.map((task) => task.node))].sort(), [tasks]);
  const shown = useMemo(() => tasks.filter((task) => (!node || task.node === node) && (!status || task.status === status)), [tasks, node, status]);
  const set = (name: string, value: string | null) =>
    setParams(
      (before) => {
        if (value) before.set(name, value);
        else before.delete(name);
        return before;
      },
      { replace: true },
    );
  return (
    <Stack>
      {query.error && <Failure error={query.error} retry={() => void query.refetch()} />}
      <Group align="flex-end">
        <Select label={texts.tasks.node} data={nodes} value={node} onChange={(value) => set('node', value)} placeholder={texts.tasks.any} clearable searchable limit={200} />
        <Select label={texts.tasks.status} data={statuses} value={status} onChange={(value) => set('status', value)} placeholder={texts.tasks.any} clearable />
        {book && (
          <Text size="sm" c="dimmed">
            {book.complete ? texts.tasks.count(counts ? Math.max(howMany(counts, node, status), shown.length) : shown.length, shown.length) : texts.live.reading(tasks.length, counts && howMany(counts))}
          </Text>
        )}
      </Group>
      {book ? <TaskList run={run.id} tasks={shown} committed={committed} selected={selected} /> : !query.error && <Loader role="progressbar" aria-label={frame.loading} />}
      {selected === undefined ? <Text size="sm">{texts.tasks.selected}</Text> : <Details key={selected} run={run.id} id={selected} committed={committed} listed={tasks.find((task) => task.task_id === selected)} />}
    </Stack>
  );
}
