import { Alert, Anchor, Autocomplete, Badge, Button, Group, Loader, Stack, Switch, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { api, unwrap, type Schemas } from '../../api/client';
import { Failure } from '../../components/Failure';
import { RunStatus } from '../../components/RunStatus';
import { paths, usagePairs } from '../../lib/compare';
import { cutDifference } from '../../lib/states';
import { useServer } from '../../lib/server';
import { took } from '../../lib/time';
import { texts as frame } from '../../texts';
import { runPath } from './addresses';
import { Changes } from './Changes';
import { useRun, useTasks, valuesMax } from './live';
import { Cost } from './NodeTable';
import { texts } from './texts';

type Run = Schemas['Run'];

const words = texts.compare;

function Field({ run, other }: { run: Run; other?: string }) {
  const navigate = useNavigate();
  const [text, setText] = useState(other ?? run.parent?.run_id ?? '');
  const offered = useQuery({
    queryKey: ['runs', 'of graph', run.graph],
    queryFn: () => unwrap(api.GET('/v1/runs', { params: { query: { graph: run.graph, limit: 20 } } })),
  });
  const ids = [...new Set([run.parent?.run_id, ...(offered.data?.items ?? []).map((it) => it.id)])].filter((id): id is string => id !== undefined && id !== run.id);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim()) void navigate(runPath(run.id, 'compare', text.trim()));
      }}
    >
      <Group align="flex-end">
        <Autocomplete label={words.other} description={words.hint} data={ids} value={text} onChange={setText} w={{ base: '100%', sm: 380 }} />
        <Button type="submit">{words.go}</Button>
      </Group>
    </form>
  );
}

function Facts({ one, other }: { one: Run; other: Run }) {
  const currency = useServer().data?.currency;
  const rows: [string, (run: Run) => ReactNode][] = [
    [words.status, (run) => <RunStatus status={run.status} />],
    [words.error, (run) => run.error?.code],
    [words.graph, (run) => <Anchor component={Link} to={`/graphs/${encodeURIComponent(run.graph)}/versions/${run.version}`} size="sm">{`${run.graph} v${run.version}`}</Anchor>],
    [words.supersteps, (run) => texts.number(run.superstep)],
    [words.time, (run) => took(run.started_at, run.finished_at)],
    [words.calls, (run) => texts.number(run.usage.model_calls)],
    [words.input, (run) => texts.number(run.usage.input_tokens)],
    [words.output, (run) => texts.number(run.usage.output_tokens)],
    ...(one.usage.cost !== undefined || other.usage.cost !== undefined ? [[words.cost, (run: Run) => <Cost usage={run.usage} currency={currency} />] as [string, (run: Run) => ReactNode]] : []),
  ];
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table aria-label={words.facts}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.run}</Table.Th>
            {[one, other].map((run) => (
              <Table.Th key={run.id}>
                <Anchor component={Link} to={runPath(run.id)} size="sm" className="whole">
                  {run.id}
                </Anchor>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(([title, value]) => (
            <Table.Tr key={title}>
              <Table.Th>{title}</Table.Th>
              <Table.Td>{value(one)}</Table.Td>
              <Table.Td>{value(other)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Usage({ one, other }: { one: Run; other: Run }) {
  const pairs = usagePairs(one.usage.nodes, other.usage.nodes);
  if (pairs.length === 0) return null;
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table aria-label={words.usage}>
        <Table.Thead>
          <Table.Tr>
            {[words.node, words.calls, words.input, words.output].map((title) => <Table.Th key={title}>{title}</Table.Th>)}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {pairs.map(({ node, one: mine, other: its }) => (
            <Table.Tr key={node}>
              <Table.Th>{node}</Table.Th>
              <Table.Td>{words.pair(mine?.model_calls, its?.model_calls)}</Table.Td>
              <Table.Td>{words.pair(mine?.input_tokens, its?.input_tokens)}</Table.Td>
              <Table.Td>{words.pair(mine?.output_tokens, its?.output_tokens)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function useEndState(run: string) {
  return useQuery({
    queryKey: ['state', run],
    gcTime: 10_000,
    queryFn: () => unwrap(api.GET('/v1/runs/{id}/state', { params: { path: { id: run }, query: { values_max: valuesMax } } })),
  });
}

function States({ one, other }: { one: Run; other: Run }) {
  const [mine, its] = [useEndState(one.id), useEndState(other.id)];
  const failed = mine.error ?? its.error;
  const changes = useMemo(() => {
    if (!mine.data || !its.data) return undefined;
    return mine.data.state_hash === its.data.state_hash ? [] : cutDifference(mine.data, its.data);
  }, [mine.data, its.data]);
  if (failed) return <Failure error={failed} />;
  if (!changes) return <Loader role="progressbar" aria-label={frame.loading} />;
  return (
    <>
      <Text size="sm" c="dimmed" className="whole">
        {words.stateFrom(one.id, other.id)}
      </Text>
      {changes.length === 0 && <Text size="sm">{words.sameState}</Text>}
      <Changes changes={changes} at={{ before: { run: one.id, checkpoint: mine.data!.checkpoint }, after: { run: other.id, checkpoint: its.data!.checkpoint } }} />
    </>
  );
}

function Paths({ one, other }: { one: Run; other: Run }) {
  const [mine, its] = [useTasks(one.id), useTasks(other.id)];
  const [only, setOnly] = useState(false);
  const steps = useMemo(() => paths(mine.data?.tasks ?? [], its.data?.tasks ?? []), [mine.data, its.data]);
  const shown = useMemo(() => (only ? steps.filter((step) => !step.same) : steps), [only, steps]);
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({ count: shown.length, getScrollElement: () => box.current, estimateSize: () => 28, overscan: 10 });
  const failed = mine.error ?? its.error;
  const complete = mine.data?.complete && its.data?.complete;
  return (
    <>
      {failed && <Failure error={failed} />}
      {!complete && !failed && <Loader role="progressbar" aria-label={frame.loading} />}
      {(mine.data?.more || its.data?.more) && complete && <Alert>{words.first}</Alert>}
      {complete && steps.every((step) => step.same) && <Text size="sm">{words.samePath}</Text>}
      <Switch label={words.onlyDifferent} checked={only} onChange={(event) => setOnly(event.currentTarget.checked)} />
      <div ref={box} className="rows" tabIndex={0} role="region" aria-label={words.pathRegion}>
        <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {rows.getVirtualItems().map((row) => {
            const step = shown[row.index]!;
            return (
              <div key={row.key} className="row timeline-row" style={{ transform: `translateY(${row.start}px)` }}>
                <Text size="sm" c="dimmed" w={48}>
                  {step.superstep}
                </Text>
                <Badge w={100} color={step.same ? 'green' : 'red'}>
                  {step.same ? words.same : words.different}
                </Badge>
                {[step.one, step.other].map((nodes, side) => (
                  <Text key={side} size="sm" className="half" title={nodes.join(', ')}>
                    {nodes.join(', ') || words.nobody}
                  </Text>
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}

function Both({ one, id }: { one: Run; id: string }) {
  const other = useRun(id);
  if (other.error) return <Failure error={other.error} retry={() => void other.refetch()} />;
  if (!other.data) return <Loader role="progressbar" aria-label={frame.loading} />;
  return (
    <>
      <Facts one={one} other={other.data} />
      <Usage one={one} other={other.data} />
      <Title order={3} size="h5">
        {words.path}
      </Title>
      <Paths one={one} other={other.data} />
      <Title order={3} size="h5">
        {words.state}
      </Title>
      <States one={one} other={other.data} />
    </>
  );
}

/** Two runs side by side: how they ended, what they have spent, which nodes ran, what their states are. */
export function Compare({ run, other }: { run: Run; other?: string }) {
  return (
    <Stack>
      <Field key={other} run={run} other={other} />
      {other === run.id && <Text>{words.self}</Text>}
      {other !== undefined && other !== run.id && <Both key={other} one={run} id={other} />}
    </Stack>
  );
}
