import { Alert, Anchor, Button, Card, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Schemas } from '../../api/client';
import { Failure } from '../../components/Failure';
import { GraphView } from '../../components/GraphView';
import type { InnerRuns } from '../../lib/inner';
import type { LiveRun } from '../../lib/live';
import { nodeRows } from '../../lib/progress';
import { useDefinition } from '../../lib/queries';
import { taskName } from '../../lib/tasks';
import { texts as frame } from '../../texts';
import { runPath } from './addresses';
import { useCounts, useInner, useShownTasks } from './live';
import { NodeTable } from './NodeTable';
import { TaskList } from './TaskList';
import { texts } from './texts';

const writersMax = 12;
const linksMax = 3;

/** What models are writing now. */
function Writing({ live }: { live: LiveRun }) {
  const words = [...live.words.values()];
  return (
    <>
      {words.slice(0, writersMax).map((it) => (
        <Card key={`${it.superstep}/${it.node}/${it.dispatch ?? ''}`} withBorder aria-live="polite">
          <Text size="xs" c="dimmed">
            {texts.live.writing(taskName({ node: it.node, dispatch_id: it.dispatch }))}
          </Text>
          <Text className="written">{it.text}</Text>
        </Card>
      ))}
      {words.length > writersMax && <Text size="sm">{texts.live.writingMore(words.length - writersMax)}</Text>}
    </>
  );
}

/** Whose states an unfolded subgraph shows. */
function Inside({ runs }: { runs: InnerRuns[] }) {
  return runs.map(({ node, runs: looked, of }) => (
    <Group key={`${node} ${looked[0]}`} gap="xs">
      <Text size="sm">{texts.live.inside(node, looked.length, of)}</Text>
      {looked.slice(0, linksMax).map((id) => (
        <Anchor key={id} component={Link} to={runPath(id)} size="sm">
          {id}
        </Anchor>
      ))}
    </Group>
  ));
}

/** The graph with what each node is doing, what each has taken, its tasks, and what models are writing. */
export function Progress({ run, live }: { run: Schemas['Run']; live: LiveRun }) {
  const definition = useDefinition(run.graph, run.version);
  const { tasks, committed, book, query } = useShownTasks(run, live);
  const [params, setParams] = useSearchParams();
  const node = params.get('node') ?? undefined;
  const choose = (id: string) => setParams(id === node ? {} : { node: id }, { replace: true });
  const names = useMemo(() => definition.data?.definition.nodes.map((it) => it.id) ?? [], [definition.data]);
  const counts = useCounts(run.id);
  const rows = useMemo(() => nodeRows(names, counts.data, live, run.usage.nodes), [names, counts.data, live, run.usage]);
  const total = counts.data && rows.reduce((sum, row) => sum + row.tasks, 0);
  const [unfolded, setUnfolded] = useState<string[]>([]);
  const inner = useInner(run, tasks, unfolded).data;
  const states = useMemo(() => ({ ...inner?.states, ...Object.fromEntries(rows.flatMap((row) => (row.tasks > 0 && row.state ? [[row.node, row.state] as const] : []))) }), [rows, inner]);
  const shown = useMemo(() => (node ? tasks.filter((task) => task.node === node) : tasks), [tasks, node]);
  return (
    <Stack>
      {definition.error && <Failure error={definition.error} retry={() => void definition.refetch()} />}
      {query.error && <Failure error={query.error} retry={() => void query.refetch()} />}
      {counts.error && <Failure error={counts.error} retry={() => void counts.refetch()} />}
      {definition.data && <GraphView definition={definition.data.definition} nodeStates={states} onSelect={choose} onUnfold={setUnfolded} />}
      {unfolded.length > 0 && inner && <Inside runs={inner.runs} />}
      <Writing live={live} />
      <NodeTable run={run} rows={rows} chosen={node} onChoose={choose} />
      <Group justify="space-between">
        <Title order={3} size="h5">
          {node ? texts.live.tasksOf(node) : texts.live.tasks}
        </Title>
        {node ? (
          <Button size="compact-sm" variant="subtle" onClick={() => choose(node)}>
            {texts.live.allTasks}
          </Button>
        ) : (
          <Text size="sm" c="dimmed">
            {total === undefined ? texts.nodes.unknown : texts.live.choose(total)}
          </Text>
        )}
      </Group>
      {book && !book.complete && <Text size="sm">{texts.live.reading(book.tasks.length, total)}</Text>}
      {book?.complete && book.more && <Alert>{texts.live.first(book.tasks.length, total)}</Alert>}
      {book ? <TaskList run={run.id} tasks={shown} committed={committed} /> : !query.error && <Loader role="progressbar" aria-label={frame.loading} />}
    </Stack>
  );
}
