import { Accordion, Button, Code, Group, Loader, Select, Stack, Tabs, Text, TextInput, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { api, unwrap, type Schemas } from '../../api/client';
import { Allowed } from '../../components/Allowed';
import { AnswerForm } from '../../components/AnswerForm';
import { Failure } from '../../components/Failure';
import { GraphView } from '../../components/GraphView';
import { JsonValue } from '../../components/JsonValue';
import { useDefinition, useYaml } from '../../lib/queries';
import { fields, initial } from '../../lib/schema';
import { when } from '../../lib/time';
import { useMay } from '../../lib/server';
import { texts as frame } from '../../texts';
import { texts } from './texts';

const TextDiff = lazy(() => import('../../components/TextDiff'));

function TryIt({ graph }: { graph: Schemas['Graph'] }) {
  const navigate = useNavigate();
  const may = useMay('run');
  const schema = graph.definition.input?.schema;
  const [thread, setThread] = useState('');
  const start = useMutation({
    mutationFn: (input: unknown) =>
      unwrap(
        api.POST('/v1/runs', {
          body: { graph: graph.name, version: graph.version, input: (input ?? {}) as Record<string, unknown>, ...(thread && { thread_id: thread }) },
        }),
      ),
    onSuccess: (run) => navigate(`/runs/${encodeURIComponent(run.id)}`),
  });
  return (
    <Stack maw={640}>
      <TextInput label={texts.thread} description={texts.threadHint} maxLength={80} value={thread} onChange={(event) => setThread(event.currentTarget.value)} />
      <AnswerForm
        schema={schema}
        value={initial(schema) ?? {}}
        label={texts.input}
        onEnter={(input) => may && start.mutate(input)}
        plain={!fields(schema)}
        actions={() =>
          may ? (
            <Button type="submit" loading={start.isPending}>
              {texts.run}
            </Button>
          ) : (
            <Text c="dimmed">{texts.mayNotRun}</Text>
          )
        }
      />
      {start.error && <Failure error={start.error} />}
    </Stack>
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
        <Select label={texts.compare} data={choices.filter((it) => it !== String(version))} value={other} onChange={setOther} size="xs" />
      </Group>
      {choices.length === 1 && <Text>{texts.one}</Text>}
      {before.data !== undefined && after.data !== undefined && (
        <Suspense fallback={<Loader role="progressbar" aria-label={frame.loading} />}>
          <TextDiff before={before.data} after={after.data} label={texts.changes(other, version)} />
        </Suspense>
      )}
    </Stack>
  );
}

/** One line, to be opened: a large graph has many. */
function Warnings({ warnings }: { warnings: Schemas['FieldError'][] }) {
  if (warnings.length === 0) return null;
  return (
    <Accordion variant="contained">
      <Accordion.Item value="warnings">
        <Accordion.Control icon={<IconAlertTriangle size={18} aria-hidden />}>{texts.warnings(warnings.length)}</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="xs">
            {warnings.map((warning) => (
              <Text key={`${warning.pointer} ${warning.message}`} size="sm" className="whole">
                <Code>{warning.pointer}</Code> {warning.message}
              </Text>
            ))}
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
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
  const [chosen, setChosen] = useState<{ node: Schemas['NodeDefinition']; path: string }>();
  const inspect = useCallback((node: Schemas['NodeDefinition'] | undefined, path: string[]) => setChosen(node && { node, path: [...path, node.id].join(' / ') }), []);
  const error = newest.error ?? graph.error;
  if (error) return <Failure error={error} retry={() => void graph.refetch()} />;
  if (!graph.data || number === undefined) return <Loader role="progressbar" aria-label={frame.loading} />;
  const base = `/graphs/${name}/versions/${number}`;
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} className="whole">{texts.title(name, number)}</Title>
        <Group gap="xs">
          <Select
            aria-label={texts.version}
            size="xs"
            w={90}
            data={newest.data?.items.map((it) => String(it.version))}
            value={String(number)}
            onChange={(next) => next && void navigate(`/graphs/${name}/versions/${next}/${tab}`)}
          />
          <Allowed scope="author">
            <Button component={Link} to={`${base}/edit`} size="xs" variant="light">
              {texts.edit}
            </Button>
          </Allowed>
          <Button component={Link} to={`/runs?graph=${encodeURIComponent(name)}`} size="xs" variant="light">
            {texts.runs}
          </Button>
        </Group>
      </Group>
      {graph.data.definition.description && <Text>{graph.data.definition.description}</Text>}
      <Text size="sm" c="dimmed">{texts.posted(when(graph.data.created_at), graph.data.created_by)}</Text>
      <Warnings warnings={graph.data.warnings} />
      <Tabs value={tab} onChange={(next) => void navigate(`${base}/${next}`)} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="picture">{texts.tabs.picture}</Tabs.Tab>
          <Tabs.Tab value="text">{texts.tabs.text}</Tabs.Tab>
          <Tabs.Tab value="versions">{texts.tabs.versions}</Tabs.Tab>
          <Tabs.Tab value="try">{texts.tabs.try}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="picture" pt="md">
          <GraphView definition={graph.data.definition} onInspect={inspect} height={620} />
          <Stack gap="xs" mt="sm">
            <Text size="sm" c="dimmed">
              {chosen ? texts.node(chosen.path) : texts.choose}
            </Text>
            {chosen && <JsonValue value={chosen.node} label={texts.node(chosen.path)} />}
          </Stack>
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
