import { Accordion, Badge, Button, Group, JsonInput, Stack, Tabs, Text, Textarea, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { api, unwrap } from '../../api/client';
import { Failure } from '../../components/Failure';
import { JsonValue } from '../../components/JsonValue';

interface Entry {
  name: string;
  description: string;
  marks: string[];
  details?: unknown;
}

const query = { params: { query: { limit: 200 } } };

const kinds: Record<string, { label: string; load: () => Promise<Entry[]> }> = {
  'node-types': {
    label: 'Node types',
    load: async () =>
      (await unwrap(api.GET('/v1/node-types', query))).items.map((it) => ({ ...it, marks: it.available ? [] : ['not available'], details: it.config_schema })),
  },
  tools: {
    label: 'Tools',
    load: async () => (await unwrap(api.GET('/v1/tools', query))).items.map((it) => ({ ...it, marks: [it.source, it.execution], details: it.arguments_schema })),
  },
  models: {
    label: 'Models',
    load: async () => (await unwrap(api.GET('/v1/models', query))).items.map((it) => ({ ...it, marks: [it.provider, it.model, ...(it.default ? ['default'] : [])] })),
  },
  reducers: {
    label: 'Reducers',
    load: async () => (await unwrap(api.GET('/v1/reducers', query))).items.map((it) => ({ ...it, marks: it.requires ? [`needs ${it.requires}`] : [] })),
  },
  functions: {
    label: 'Functions in Java',
    load: async () => (await unwrap(api.GET('/v1/functions', query))).items.map((it) => ({ ...it, marks: [it.kind, ...(it.pure ? ['pure'] : [])], details: it.arguments_schema })),
  },
};

function Entries({ kind }: { kind: string }) {
  const entries = useQuery({ queryKey: ['catalog', kind], queryFn: kinds[kind]!.load });
  if (entries.error) return <Failure error={entries.error} retry={() => void entries.refetch()} />;
  if (entries.data?.length === 0) return <Text>This server has none.</Text>;
  return (
    <Accordion multiple>
      {entries.data?.map((entry) => (
        <Accordion.Item key={entry.name} value={entry.name}>
          <Accordion.Control>
            <Group gap="sm">
              <Text fw={600}>{entry.name}</Text>
              {entry.marks.map((mark) => (
                <Badge key={mark}>
                  {mark}
                </Badge>
              ))}
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <Text size="sm">{entry.description}</Text>
            {entry.details !== undefined && <JsonValue value={entry.details} label={`Schema of ${entry.name}`} />}
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

function Playground() {
  const [expression, setExpression] = useState("state.topics.map(t, t + '!')");
  const [scope, setScope] = useState('{ "state": { "topics": ["cats", "dogs"] } }');
  const evaluate = useMutation({
    mutationFn: () => unwrap(api.POST('/v1/expressions/evaluate', { body: { expression, variables: JSON.parse(scope) as Record<string, unknown> } })),
  });
  return (
    <Stack maw={760} align="stretch">
      <Textarea label="Expression" value={expression} onChange={(event) => setExpression(event.currentTarget.value)} autosize minRows={2} ff="monospace" />
      <JsonInput label="What it sees (JSON)" value={scope} onChange={setScope} validationError="This is not JSON" autosize minRows={3} maxRows={14} />
      <Button loading={evaluate.isPending} onClick={() => evaluate.mutate()} style={{ alignSelf: 'flex-start' }}>
        Evaluate
      </Button>
      {evaluate.error && <Failure error={evaluate.error} />}
      {evaluate.data && <JsonValue value={evaluate.data.value} label="Value" />}
    </Stack>
  );
}

/** What graphs can be made of on this server, and a place to try expressions. */
export default function CatalogPage() {
  const { '*': tab = '' } = useParams();
  const navigate = useNavigate();
  return (
    <Stack>
      <Title order={2}>Catalog</Title>
      <Tabs value={tab || 'node-types'} onChange={(next) => void navigate(`/catalog/${next}`)} keepMounted={false}>
        <Tabs.List>
          {Object.entries(kinds).map(([kind, { label }]) => (
            <Tabs.Tab key={kind} value={kind}>
              {label}
            </Tabs.Tab>
          ))}
          <Tabs.Tab value="expressions">Expressions</Tabs.Tab>
        </Tabs.List>
        {Object.keys(kinds).map((kind) => (
          <Tabs.Panel key={kind} value={kind} pt="md">
            <Entries kind={kind} />
          </Tabs.Panel>
        ))}
        <Tabs.Panel value="expressions" pt="md">
          <Playground />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
