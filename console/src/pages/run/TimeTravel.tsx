import { Badge, Button, Card, Group, JsonInput, Loader, SimpleGrid, Slider, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { api, unwrap, type Schemas } from '../../api/client';
import { Failure } from '../../components/Failure';
import { JsonValue } from '../../components/JsonValue';
import { difference, type Difference } from '../../lib/diff';
import { when } from '../../lib/time';
import { texts } from '../../texts';
import { useCheckpoint, useCheckpoints } from './live';

const marks = { added: 'green', changed: 'blue', removed: 'red' };

function Change({ change }: { change: Difference }) {
  return (
    <Card withBorder>
      <Group gap="xs" mb="xs">
        <Badge color={marks[change.kind]}>
          {change.kind}
        </Badge>
        <Text fw={600}>{change.channel}</Text>
      </Group>
      <SimpleGrid cols={change.kind === 'changed' ? { base: 1, md: 2 } : 1}>
        {change.kind !== 'added' && <JsonValue value={change.before} label={`${change.channel} before`} />}
        {change.kind !== 'removed' && <JsonValue value={change.after} label={`${change.channel} after`} />}
      </SimpleGrid>
    </Card>
  );
}

function Fork({ run, checkpoint }: { run: Schemas['Run']; checkpoint: number }) {
  const navigate = useNavigate();
  const [text, setText] = useState('{}');
  const fork = useMutation({
    mutationFn: () => unwrap(api.POST('/v1/runs/{id}/fork', { params: { path: { id: run.id } }, body: { checkpoint, change: { overwrite: JSON.parse(text) as Record<string, unknown> } } })),
    onSuccess: (made) => navigate(`/runs/${encodeURIComponent(made.id)}`),
  });
  return (
    <Stack align="flex-start">
      <JsonInput w="100%" label="Channels to overwrite (JSON)" description="{} forks the state as it is" value={text} onChange={setText} validationError="This is not JSON" autosize minRows={2} maxRows={12} />
      <Button variant="light" loading={fork.isPending} onClick={() => fork.mutate()}>
        {`Fork from checkpoint ${checkpoint}`}
      </Button>
      {fork.error && <Failure error={fork.error} />}
    </Stack>
  );
}

function Context({ run, checkpoint, nodes }: { run: string; checkpoint: number; nodes: Schemas['Activation'][] }) {
  const [chosen, setChosen] = useState<Schemas['Activation']>();
  const explained = useQuery({
    queryKey: ['context', run, checkpoint, chosen?.node, chosen?.dispatch_id],
    enabled: chosen !== undefined,
    staleTime: Infinity,
    retry: false,
    queryFn: () =>
      unwrap(
        api.GET('/v1/runs/{id}/checkpoints/{number}/context', {
          params: { path: { id: run, number: checkpoint }, query: { node: chosen!.node, dispatch_id: chosen!.dispatch_id } },
        }),
      ),
  });
  return (
    <Stack>
      <Group>
        {nodes.slice(0, 20).map((activation) => (
          <Button key={`${activation.node}/${activation.dispatch_id ?? ''}`} size="compact-sm" variant={chosen === activation ? 'filled' : 'default'} onClick={() => setChosen(activation)}>
            {`${activation.node} ${activation.dispatch_id ?? ''}`}
          </Button>
        ))}
      </Group>
      {explained.error && <Failure error={explained.error} />}
      {explained.data && (
        <>
          {explained.data.items.map((item) => (
            <Group key={`${item.part}/${item.key}`} gap="sm" align="flex-start">
              <Badge color={item.kept ? 'green' : 'red'}>
                {item.kept ? 'kept' : 'dropped'}
              </Badge>
              <Text size="sm" fw={600}>{`${item.part}: ${item.key}`}</Text>
              <Text size="sm">{item.steps.map((step) => `${step.action} by ${step.rule} (${step.source}): ${step.because}`).join('; ')}</Text>
            </Group>
          ))}
          <JsonValue value={explained.data.context} label="What the node saw" />
        </>
      )}
    </Stack>
  );
}

/** The checkpoints of a run: the state at any of them, what the superstep changed, what comes next. */
export function TimeTravel({ run }: { run: Schemas['Run'] }) {
  const { '*': rest = '' } = useParams();
  const navigate = useNavigate();
  const checkpoints = useCheckpoints(run.id);
  const asked = Number.parseInt(rest.split('/')[1] ?? '', 10);
  const number = Number.isNaN(asked) ? run.checkpoint : Math.min(Math.max(asked, 0), run.checkpoint);
  const shown = useCheckpoint(run.id, number);
  const parent = useCheckpoint(run.id, shown.data && number > 0 ? (shown.data.parent ?? number - 1) : undefined);
  const before = parent.data?.state;
  const changes = useMemo(() => (shown.data ? difference(before ?? {}, shown.data.state) : []), [shown.data, before]);
  const known = checkpoints.data?.pages.flatMap((page) => page.items).find((it) => it.checkpoint === number);
  const next = shown.data?.pending_activations.filter((it) => it.node !== '__end__') ?? [];
  const go = (checkpoint: number) => void navigate(`/runs/${encodeURIComponent(run.id)}/checkpoints/${checkpoint}`, { replace: true });
  return (
    <Stack>
      <Slider aria-label="Checkpoint" min={0} max={Math.max(run.checkpoint, 1)} value={number} onChange={go} label={(value) => `checkpoint ${value}`} />
      <Group>
        <Button size="compact-sm" variant="default" disabled={number <= 0} onClick={() => go(number - 1)}>
          Back
        </Button>
        <Text>{`Checkpoint ${number} of ${run.checkpoint}`}</Text>
        <Button size="compact-sm" variant="default" disabled={number >= run.checkpoint} onClick={() => go(number + 1)}>
          Forward
        </Button>
        <Text size="sm" c="dimmed">
          {[known?.kind, known && `superstep ${known.superstep}`, known && when(known.created_at)].filter(Boolean).join(' · ')}
        </Text>
      </Group>
      {shown.error && <Failure error={shown.error} retry={() => void shown.refetch()} />}
      {!shown.data && !shown.error && <Loader aria-label={texts.loading} />}
      {shown.data && (
        <>
          <Title order={3} size="h5">
            What it changed
          </Title>
          {changes.length === 0 && <Text size="sm">No channel changed.</Text>}
          {changes.map((change) => <Change key={change.channel} change={change} />)}
          <Title order={3} size="h5">
            What runs next
          </Title>
          {shown.data.pending_activations.length === 0 ? <Text size="sm">Nothing: the run has ended here, or waits.</Text> : <JsonValue value={shown.data.pending_activations} label="Pending activations and dispatches" />}
          {next.length > 0 && (
            <>
              <Title order={3} size="h5">
                Why a node sees of its prompt context what it sees
              </Title>
              <Context key={number} run={run.id} checkpoint={number} nodes={next} />
            </>
          )}
          <Title order={3} size="h5">
            The whole state
          </Title>
          <JsonValue value={shown.data.state} label="State" />
          <Title order={3} size="h5">
            Go on from here
          </Title>
          <Fork run={run} checkpoint={number} />
        </>
      )}
    </Stack>
  );
}
