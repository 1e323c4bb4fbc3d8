import { Alert, Badge, Button, Group, JsonInput, Select, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap, type Schemas } from '../../api/client';
import { Failure } from '../../components/Failure';
import { JsonValue } from '../../components/JsonValue';
import { definitionQuery } from '../../lib/definitions';
import { useGraphs } from '../../lib/queries';
import { useMay } from '../../lib/server';
import { filtersOf, request } from './preview';
import { texts } from './texts';

const example = {
  context: JSON.stringify({ template: 'You are a librarian.', variables: { 'llm.model': 'm', 'tool.api_key': 'sk-1' } }, null, 2),
  edges: JSON.stringify([{ id: 'found', context_filter: { type: 'selective', exclude_patterns: ['*.api_key'] } }], null, 2),
  node: JSON.stringify({ id: 'think', type: 'llm', required_context: ['llm.model'] }, null, 2),
  scope: '',
};
type Fields = typeof example;

/** Fills in the filters of a node of a stored graph. */
function FromGraph({ onTake }: { onTake: (fields: Pick<Fields, 'edges' | 'node'>) => void }) {
  const graphs = useGraphs();
  const [graph, setGraph] = useState<string | null>(null);
  const [node, setNode] = useState<string | null>(null);
  const found = useQuery({ ...definitionQuery(graph ?? ''), enabled: graph !== null });
  const definition = graph === null ? undefined : found.data?.definition;
  return (
    <Group role="group" aria-label={texts.context.take} align="flex-end">
      <Select
        label={texts.context.graph}
        placeholder={texts.context.take}
        size="xs"
        searchable
        data={graphs.data?.items.map((it) => it.name) ?? []}
        value={graph}
        onChange={(next) => {
          setGraph(next);
          setNode(null);
        }}
      />
      <Select
        label={texts.context.node}
        size="xs"
        searchable
        disabled={!definition}
        data={definition?.nodes.map((it) => it.id) ?? []}
        value={node}
        onChange={(next) => {
          setNode(next);
          const filters = definition && next ? filtersOf(definition, next) : undefined;
          if (filters) onTake({ edges: JSON.stringify(filters.edges, null, 2), node: JSON.stringify(filters.node, null, 2) });
        }}
      />
      {found.error && <Failure error={found.error} />}
    </Group>
  );
}

function Why({ item }: { item: Schemas['ContextItem'] }) {
  if (item.steps.length === 0) return <Text size="sm">{texts.context.untouched}</Text>;
  return (
    <Stack gap={2}>
      {item.steps.map((step, index) => (
        <Text key={index} size="sm" className="whole">
          {texts.context.step(step.action, step.rule, step.source, step.because)}
        </Text>
      ))}
    </Stack>
  );
}

function Answer({ preview }: { preview: Schemas['ContextPreview'] }) {
  return (
    <Stack component="section" aria-label={texts.context.items}>
      {preview.unmet.length > 0 && <Alert color="red">{texts.context.unmet(preview.unmet.join(', '))}</Alert>}
      {preview.failures.map((it) => (
        <Alert key={`${it.rule} ${it.condition}`} color="yellow">
          {texts.context.failure(it.rule, it.condition, it.message)}
        </Alert>
      ))}
      {preview.warnings.map((it) => (
        <Alert key={`${it.pointer} ${it.message}`} color="yellow" title={it.pointer}>
          {it.message}
        </Alert>
      ))}
      {preview.items.length > 0 && (
        <Table.ScrollContainer minWidth={520}>
          <Table verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{texts.context.item}</Table.Th>
                <Table.Th>{texts.context.fate}</Table.Th>
                <Table.Th>{texts.context.why}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {preview.items.map((item) => (
                <Table.Tr key={`${item.part}/${item.key}`}>
                  <Table.Td className="whole">{`${item.part}: ${item.key}`}</Table.Td>
                  <Table.Td>
                    <Badge color={item.kept ? 'green' : 'red'} miw="max-content">{item.kept ? texts.context.kept : texts.context.dropped}</Badge>
                  </Table.Td>
                  <Table.Td>
                    <Why item={item} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <Title order={3} size="h5">
        {texts.context.view}
      </Title>
      <JsonValue value={preview.context} label={texts.context.view} />
    </Stack>
  );
}

/** Tries out what edges and a node let through of a prompt context, rule by rule. */
export function ContextPreview() {
  const may = useMay('author');
  const [fields, setFields] = useState(example);
  const preview = useMutation({ mutationFn: () => unwrap(api.POST('/v1/context/preview', { body: request(fields) })) });
  const field = (name: keyof Fields, label: string, description?: string) => (
    <JsonInput
      label={label}
      description={description}
      value={fields[name]}
      onChange={(text) => setFields((before) => ({ ...before, [name]: text }))}
      validationError={texts.notJson}
      autosize
      minRows={3}
      maxRows={14}
    />
  );
  return (
    <Stack maw={1100}>
      <Text size="sm">{texts.context.about}</Text>
      <FromGraph onTake={(taken) => setFields((before) => ({ ...before, ...taken }))} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {field('context', texts.context.context)}
        {field('node', texts.context.filtered)}
        {field('edges', texts.context.edges, texts.context.edgesHint)}
        {field('scope', texts.context.scope, texts.context.scopeHint)}
      </SimpleGrid>
      {may ? (
        <Button loading={preview.isPending} onClick={() => preview.mutate()} style={{ alignSelf: 'flex-start' }}>
          {texts.context.preview}
        </Button>
      ) : (
        <Text c="dimmed">{texts.mayNot}</Text>
      )}
      {preview.error && <Failure error={preview.error} />}
      {preview.data && <Answer preview={preview.data} />}
    </Stack>
  );
}
