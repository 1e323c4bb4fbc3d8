import { Alert, Button, Code, Group, Loader, Select, Stack, Tabs, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { api, unwrap, type Schemas } from '../../api/client';
import { Failure } from '../../components/Failure';
import { GraphView } from '../../components/GraphView';
import { JsonValue } from '../../components/JsonValue';
import { initial, SchemaForm } from '../../components/SchemaForm';
import { useDefinition, useYaml } from '../../lib/queries';
import { when } from '../../lib/time';
import { texts } from '../../texts';

const TextDiff = lazy(() => import('../../components/TextDiff'));

function TryIt({ graph }: { graph: Schemas['Graph'] }) {
  const navigate = useNavigate();
  const schema = graph.definition.input?.schema;
  const [input, setInput] = useState<unknown>(() => initial(schema) ?? {});
  const [thread, setThread] = useState('');
  const start = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/v1/runs', {
          body: { graph: graph.name, version: graph.version, input: (input ?? {}) as Record<string, unknown>, ...(thread && { thread_id: thread }) },
        }),
      ),
    onSuccess: (run) => navigate(`/runs/${encodeURIComponent(run.id)}`),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate();
      }}
    >
      <Stack maw={640}>
        <SchemaForm schema={schema} label="Input" value={input} onChange={setInput} />
        <SchemaForm schema={{ type: 'string', maxLength: 80, description: 'Runs of one thread share a state' }} label="Thread (may be empty)" value={thread} onChange={(value) => setThread(String(value ?? ''))} />
        <Button type="submit" loading={start.isPending} style={{ alignSelf: 'flex-start' }}>
          Run it
        </Button>
        {start.error && <Failure error={start.error} />}
      </Stack>
    </form>
  );
}

function Versions({ name, version }: { name: string; version: number }) {
  const versions = useQuery({
    queryKey: ['versions', name],
    queryFn: () => unwrap(api.GET('/v1/graphs/{name}/versions', { params: { path: { name }, query: { limit: 100 } } })),
  });
  const [other, setOther] = useState<string | null>(version > 1 ? String(version - 1) : null);
  const before = useYaml(other ? name : undefined, other ? Number(other) : undefined);
  const after = useYaml(name, version);
  const choices = versions.data?.items.map((it) => String(it.version)) ?? [];
  return (
    <Stack>
      {versions.error && <Failure error={versions.error} />}
      <Group>
        <Select label="Compare with version" data={choices.filter((it) => it !== String(version))} value={other} onChange={setOther} size="xs" />
      </Group>
      {choices.length === 1 && <Text>There is one version.</Text>}
      {before.data !== undefined && after.data !== undefined && (
        <Suspense fallback={<Loader aria-label={texts.loading} />}>
          <TextDiff before={before.data} after={after.data} label={`Changes from version ${other} to ${version}`} />
        </Suspense>
      )}
    </Stack>
  );
}

/** One version of a graph: picture, text, what it changed, and a form to try it. */
export function Graph() {
  const { name = '', version, tab = 'picture' } = useParams();
  const navigate = useNavigate();
  const newest = useQuery({
    queryKey: ['versions', name],
    queryFn: () => unwrap(api.GET('/v1/graphs/{name}/versions', { params: { path: { name }, query: { limit: 100 } } })),
  });
  const number = version ? Number(version) : newest.data?.items[0]?.version;
  const graph = useDefinition(name, number);
  const text = useYaml(name, number);
  const [node, setNode] = useState<string>();
  const error = newest.error ?? graph.error;
  if (error) return <Failure error={error} retry={() => void graph.refetch()} />;
  if (!graph.data || number === undefined) return <Loader aria-label={texts.loading} />;
  const base = `/graphs/${name}/versions/${number}`;
  const chosen = graph.data.definition.nodes.find((it) => it.id === node);
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} className="whole">{`${name} v${number}`}</Title>
        <Group gap="xs">
          <Select
            aria-label="Version"
            size="xs"
            w={90}
            data={newest.data?.items.map((it) => String(it.version))}
            value={String(number)}
            onChange={(next) => next && void navigate(`/graphs/${name}/versions/${next}/${tab}`)}
          />
          <Button component={Link} to={`${base}/edit`} size="xs" variant="light">
            Edit
          </Button>
          <Button component={Link} to={`/runs?graph=${encodeURIComponent(name)}`} size="xs" variant="light">
            Its runs
          </Button>
        </Group>
      </Group>
      {graph.data.definition.description && <Text>{graph.data.definition.description}</Text>}
      <Text size="sm" c="dimmed">{`Posted ${when(graph.data.created_at)}${graph.data.created_by ? ` by ${graph.data.created_by}` : ''}`}</Text>
      {graph.data.warnings.map((warning) => (
        <Alert key={`${warning.pointer} ${warning.message}`} color="yellow" title={warning.pointer}>
          {warning.message}
        </Alert>
      ))}
      <Tabs value={tab} onChange={(next) => void navigate(`${base}/${next}`)} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="picture">Picture</Tabs.Tab>
          <Tabs.Tab value="text">Definition</Tabs.Tab>
          <Tabs.Tab value="versions">Changes</Tabs.Tab>
          <Tabs.Tab value="try">Try it</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="picture" pt="md">
          <GraphView definition={graph.data.definition} onSelect={setNode} height={560} />
          {chosen && <JsonValue value={chosen} label={`Node ${chosen.id}`} />}
        </Tabs.Panel>
        <Tabs.Panel value="text" pt="md">
          {text.data !== undefined && <Code block>{text.data}</Code>}
        </Tabs.Panel>
        <Tabs.Panel value="versions" pt="md">
          <Versions key={number} name={name} version={number} />
        </Tabs.Panel>
        <Tabs.Panel value="try" pt="md">
          <TryIt key={`${name}/${number}`} graph={graph.data} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
