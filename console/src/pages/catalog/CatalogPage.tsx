import { Accordion, Badge, Code, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { api, unwrap } from '../../api/client';
import { Failure } from '../../components/Failure';
import { JsonValue } from '../../components/JsonValue';
import { ContextPreview } from './ContextPreview';
import { Playground } from './Playground';
import { texts } from './texts';

interface Entry {
  name: string;
  description: string;
  marks: string[];
  example?: string;
  details?: unknown;
}

type Kind = keyof typeof texts.kinds;

const query = { params: { query: { limit: 200 } } };
const { marks } = texts;

const load: Record<Kind, () => Promise<Entry[]>> = {
  'node-types': async () =>
    (await unwrap(api.GET('/v1/node-types', query))).items.map((it) => ({ ...it, marks: it.available ? [] : [marks.unavailable], details: it.config_schema })),
  tools: async () => (await unwrap(api.GET('/v1/tools', query))).items.map((it) => ({ ...it, marks: [it.source, it.execution], details: it.arguments_schema })),
  models: async () => (await unwrap(api.GET('/v1/models', query))).items.map((it) => ({ ...it, marks: [it.provider, it.model, ...(it.default ? [marks.standard] : [])] })),
  reducers: async () => (await unwrap(api.GET('/v1/reducers', query))).items.map((it) => ({ ...it, marks: it.requires ? [marks.needs(it.requires)] : [] })),
  functions: async () => (await unwrap(api.GET('/v1/functions', query))).items.map((it) => ({ ...it, marks: [it.kind, ...(it.pure ? [marks.pure] : [])], details: it.arguments_schema })),
  transforms: async () => (await unwrap(api.GET('/v1/context-transforms', query))).items.map((it) => ({ ...it, marks: it.built_in ? [marks.builtIn] : [] })),
  processors: async () => (await unwrap(api.GET('/v1/context-processors', query))).items.map((it) => ({ ...it, marks: it.pure ? [marks.pure] : [], details: it.config_schema })),
};
const kinds = Object.keys(load) as Kind[];

function Entries({ kind }: { kind: Kind }) {
  const entries = useQuery({ queryKey: ['catalog', kind], queryFn: load[kind] });
  if (entries.error) return <Failure error={entries.error} retry={() => void entries.refetch()} />;
  if (entries.data?.length === 0) return <Text>{texts.none}</Text>;
  return (
    <Accordion multiple>
      {entries.data?.map((entry) => (
        <Accordion.Item key={entry.name} value={entry.name}>
          <Accordion.Control>
            <Group gap="sm">
              <Text fw={600}>{entry.name}</Text>
              {entry.marks.map((mark) => (
                <Badge key={mark}>{mark}</Badge>
              ))}
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <Stack gap="xs" align="stretch">
              <Text size="sm">{entry.description}</Text>
              {entry.example !== undefined && <Code block>{entry.example}</Code>}
              {entry.details !== undefined && <JsonValue value={entry.details} label={texts.schema(entry.name)} />}
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

/** What graphs can be made of on this server, and places to try expressions and filters of contexts. */
export default function CatalogPage() {
  const { '*': tab = '' } = useParams();
  const navigate = useNavigate();
  return (
    <Stack>
      <Title order={2}>{texts.title}</Title>
      <Tabs value={tab || 'node-types'} onChange={(next) => void navigate(`/catalog/${next}`)} keepMounted={false}>
        <Tabs.List>
          {kinds.map((kind) => (
            <Tabs.Tab key={kind} value={kind}>
              {texts.kinds[kind]}
            </Tabs.Tab>
          ))}
          <Tabs.Tab value="expressions">{texts.expressions.tab}</Tabs.Tab>
          <Tabs.Tab value="context">{texts.context.tab}</Tabs.Tab>
        </Tabs.List>
        {kinds.map((kind) => (
          <Tabs.Panel key={kind} value={kind} pt="md">
            <Entries kind={kind} />
          </Tabs.Panel>
        ))}
        <Tabs.Panel value="expressions" pt="md">
          <Playground />
        </Tabs.Panel>
        <Tabs.Panel value="context" pt="md">
          <ContextPreview />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
