import { Alert, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Schemas } from '../../api/client';
import { Failure } from '../../components/Failure';
import { GraphView } from '../../components/GraphView';
import { nodeStates } from '../../lib/progress';
import { useDefinition } from '../../lib/queries';
import type { Words } from '../../lib/words';
import { useTasks } from './live';
import { TaskList } from './TaskList';

/** The graph with what each node is doing, the tasks of a node, and what models are writing. */
export function Progress({ run, words }: { run: Schemas['Run']; words: Words[] }) {
  const definition = useDefinition(run.graph, run.version);
  const tasks = useTasks(run.id);
  const [node, setNode] = useState<string>();
  const states = useMemo(() => nodeStates(tasks.data?.tasks ?? []), [tasks.data]);
  const shown = useMemo(() => (tasks.data?.tasks ?? []).filter((task) => !node || task.node === node), [tasks.data, node]);
  return (
    <Stack>
      {definition.error && <Failure error={definition.error} retry={() => void definition.refetch()} />}
      {tasks.error && <Failure error={tasks.error} retry={() => void tasks.refetch()} />}
      {definition.data && <GraphView definition={definition.data.definition} nodeStates={states} onSelect={(id) => setNode(id === node ? undefined : id)} />}
      {words.map((it) => (
        <Card key={`${it.superstep}/${it.node}/${it.dispatch ?? ''}`} withBorder aria-live="polite">
          <Text size="xs" c="dimmed">{`${it.node} ${it.dispatch ?? ''} is writing`}</Text>
          <Text className="written">{it.text}</Text>
        </Card>
      ))}
      <Group justify="space-between">
        <Title order={3} size="h5">
          {node ? `Tasks of ${node}` : 'Tasks'}
        </Title>
        <Text size="sm" c="dimmed">
          {`${shown.length} tasks; choose a node above to see its own`}
        </Text>
      </Group>
      {tasks.data?.more && <Alert>{`These are the first ${tasks.data.tasks.length.toLocaleString('en')} tasks.`}</Alert>}
      <TaskList tasks={shown} />
    </Stack>
  );
}
