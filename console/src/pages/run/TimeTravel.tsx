import { Badge, Button, Group, JsonInput, Loader, Slider, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { api, unwrap, type Schemas } from '../../api/client';
import { Allowed } from '../../components/Allowed';
import { Failure } from '../../components/Failure';
import { JsonValue } from '../../components/JsonValue';
import { cutDifference } from '../../lib/states';
import { useMay } from '../../lib/server';
import { when } from '../../lib/time';
import { texts as frame } from '../../texts';
import { runPath } from './addresses';
import { Changes } from './Changes';
import { GoTo } from './GoTo';
import { useCheckpoint } from './live';
import { StateValue } from './StateValue';
import { texts } from './texts';

const words = texts.travel;

function Fork({ run, checkpoint }: { run: Schemas['Run']; checkpoint: number }) {
  const navigate = useNavigate();
  const mayEdit = useMay('answer');
  const [text, setText] = useState('{}');
  const fork = useMutation({
    mutationFn: () => unwrap(api.POST('/v1/runs/{id}/fork', { params: { path: { id: run.id } }, body: { checkpoint, change: { overwrite: JSON.parse(text) as Record<string, unknown> } } })),
    onSuccess: (made) => navigate(runPath(made.id)),
  });
  return (
    <Stack align="flex-start">
      {mayEdit && <JsonInput w="100%" label={words.overwrite} description={words.overwriteHint} value={text} onChange={setText} validationError={words.notJson} autosize minRows={2} maxRows={12} />}
      <Button variant="light" loading={fork.isPending} onClick={() => fork.mutate()}>
        {words.fork(checkpoint)}
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
                {item.kept ? words.kept : words.dropped}
              </Badge>
              <Text size="sm" fw={600}>{`${item.part}: ${item.key}`}</Text>
              <Text size="sm">{item.steps.map((step) => words.step(step.action, step.rule, step.source, step.because)).join('; ')}</Text>
            </Group>
          ))}
          <JsonValue value={explained.data.context} label={words.saw} />
        </>
      )}
    </Stack>
  );
}

/** The checkpoint after a superstep, for links that know the superstep only. */
function useSuperstep(run: string, superstep: string | null, found: (checkpoint: number) => void) {
  const wanted = Number.parseInt(superstep ?? '', 10);
  const listed = useQuery({
    queryKey: ['checkpoint-of', run, wanted],
    enabled: !Number.isNaN(wanted),
    queryFn: () => unwrap(api.GET('/v1/runs/{id}/checkpoints', { params: { path: { id: run }, query: { superstep: wanted, limit: 1 } } })),
  });
  const checkpoint = listed.data?.items[0]?.checkpoint;
  useEffect(() => {
    if (checkpoint !== undefined) found(checkpoint);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [checkpoint]);
}

function Chooser({ number, last, go }: { number: number; last: number; go: (checkpoint: number) => void }) {
  // A dragged slider reads a state when it is let go, not at each checkpoint on its way.
  const [dragged, setDragged] = useState<number>();
  return (
    <>
      <Slider
        thumbLabel={words.slider}
        min={0}
        max={Math.max(last, 1)}
        value={dragged ?? number}
        onChange={setDragged}
        onChangeEnd={(value) => {
          setDragged(undefined);
          go(value);
        }}
        label={words.sliderValue}
      />
      <Group align="flex-end">
        <Button variant="default" disabled={number <= 0} onClick={() => go(number - 1)}>
          {words.back}
        </Button>
        <Button variant="default" disabled={number >= last} onClick={() => go(number + 1)}>
          {words.forward}
        </Button>
        <GoTo label={words.go} min={0} max={last} value={number} onGo={go} />
        <Button variant="default" disabled={number >= last} onClick={() => go(last)}>
          {words.newest}
        </Button>
        <Text>{words.of(number, last)}</Text>
      </Group>
    </>
  );
}

function Shown({ run, number, checkpoint }: { run: Schemas['Run']; number: number; checkpoint: Schemas['Checkpoint'] }) {
  const from = checkpoint.parent ?? number - 1;
  const parent = useCheckpoint(run.id, number > 0 ? from : undefined);
  const before = parent.data;
  const changes = useMemo(() => {
    if (number > 0 && !before) return undefined;
    return before?.state_hash === checkpoint.state_hash ? [] : cutDifference(before ?? { state: {} }, checkpoint);
  }, [number, before, checkpoint]);
  const next = checkpoint.pending_activations.filter((it) => it.node !== '__end__');
  return (
    <>
      <Text size="sm" c="dimmed">
        {[checkpoint.kind, words.superstep(checkpoint.superstep), when(checkpoint.created_at)].join(' · ')}
      </Text>
      <Title order={3} size="h5">
        {words.changed}
      </Title>
      {parent.error && <Failure error={parent.error} retry={() => void parent.refetch()} />}
      {!changes && !parent.error && <Loader role="progressbar" aria-label={frame.loading} />}
      {changes?.length === 0 && <Text size="sm">{words.unchanged}</Text>}
      {changes && <Changes key={number} changes={changes} at={{ before: { run: run.id, checkpoint: from }, after: { run: run.id, checkpoint: number } }} />}
      {checkpoint.pending_results.length > 0 && (
        <>
          <Title order={3} size="h5">
            {words.held}
          </Title>
          <JsonValue value={checkpoint.pending_results} label={words.heldLabel} />
        </>
      )}
      <Title order={3} size="h5">
        {words.next}
      </Title>
      {checkpoint.pending_activations.length === 0 ? <Text size="sm">{words.nothing}</Text> : <JsonValue value={checkpoint.pending_activations} label={words.pending} />}
      {next.length > 0 && (
        <>
          <Title order={3} size="h5">
            {words.why}
          </Title>
          <Context key={number} run={run.id} checkpoint={number} nodes={next} />
        </>
      )}
      <Title order={3} size="h5">
        {words.state}
      </Title>
      <StateValue at={{ run: run.id, checkpoint: number }} state={checkpoint.state} omitted={checkpoint.omitted} label={words.stateLabel} />
      <Title order={3} size="h5">
        {words.goOn}
      </Title>
      <Allowed scope="run">
        <Fork run={run} checkpoint={number} />
      </Allowed>
    </>
  );
}

/** The checkpoints of a run: the state at any of them, what the superstep changed, what comes next. */
export function TimeTravel({ run, asked }: { run: Schemas['Run']; asked?: number }) {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  // Without a number, that which is the newest now: what somebody reads or edits stays while the run goes on.
  const [opened] = useState(run.checkpoint);
  const number = Math.min(Math.max(asked ?? opened, 0), run.checkpoint);
  const shown = useCheckpoint(run.id, number);
  const go = (checkpoint: number) => void navigate(runPath(run.id, 'checkpoints', checkpoint), { replace: true });
  useSuperstep(run.id, asked === undefined ? params.get('superstep') : null, go);
  return (
    <Stack>
      <Chooser number={number} last={run.checkpoint} go={go} />
      {shown.error && <Failure error={shown.error} retry={() => void shown.refetch()} />}
      {!shown.data && !shown.error && <Loader role="progressbar" aria-label={frame.loading} />}
      {shown.data && <Shown key={number} run={run} number={number} checkpoint={shown.data} />}
    </Stack>
  );
}
