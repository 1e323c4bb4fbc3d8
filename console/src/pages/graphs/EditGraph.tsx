import { Alert, Button, Group, Loader, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { api, unwrap } from '../../api/client';
import { Failure } from '../../components/Failure';
import { GraphView } from '../../components/GraphView';
import { postGraph, useYaml } from '../../lib/queries';
import { texts } from '../../texts';
import { schemaWords } from './words';

const Editor = lazy(() => import('../../components/Editor'));

const blank = `name: greeting
nodes:
  - { id: greet, type: expression, config: { update: { greeting: "Hello {{ state.name }}!" } } }
`;
const nothing: never[] = [];

/** Edits a definition. The service checks it while it is written; saving makes a version. */
export function EditGraph() {
  const { name, version } = useParams();
  const stored = useYaml(name, version ? Number(version) : undefined);
  if (name && stored.error) return <Failure error={stored.error} />;
  if (name && stored.data === undefined) return <Loader aria-label={texts.loading} />;
  return <Form key={`${name}/${version}`} first={name ? stored.data! : blank} />;
}

function Form({ first }: { first: string }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [text, setText] = useState(first);
  const [settled] = useDebouncedValue(text, 400);
  const schema = useQuery({ queryKey: ['schema'], staleTime: Infinity, queryFn: () => unwrap(api.GET('/v1/schema.json')) as Promise<unknown> });
  const words = useMemo(() => schemaWords(schema.data), [schema.data]);
  const checked = useQuery({
    queryKey: ['validate', settled],
    placeholderData: keepPreviousData,
    queryFn: () =>
      unwrap(
        api.POST('/v1/graphs/validate', {
          params: { query: { form: 'long' } },
          body: settled as never,
          bodySerializer: String,
          headers: { 'Content-Type': 'application/yaml' },
        }),
      ),
  });
  const save = useMutation({
    mutationFn: () => postGraph(text),
    onSuccess: async (saved) => {
      await queries.invalidateQueries();
      void navigate(`/graphs/${saved.name}/versions/${saved.version}`);
    },
  });
  const errors = checked.data?.errors ?? nothing;
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2}>Edit</Title>
        <Group>
          <Text size="sm" role="status">
            {checked.data?.valid ? 'It is valid' : errors.length === 1 ? '1 problem' : `${errors.length} problems`}
          </Text>
          <Button loading={save.isPending} disabled={!checked.data?.valid} onClick={() => save.mutate()}>
            Save as a new version
          </Button>
        </Group>
      </Group>
      {save.error && <Failure error={save.error} />}
      {checked.error && <Failure error={checked.error} />}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Suspense fallback={<Loader aria-label={texts.loading} />}>
          <Editor text={first} label="Definition" onChange={setText} errors={errors} warnings={checked.data?.warnings ?? nothing} words={words} />
        </Suspense>
        <Stack>
          {errors.slice(0, 20).map((error) => (
            <Alert key={`${error.pointer} ${error.message}`} color="red" title={`${error.line !== undefined ? `Line ${error.line}, ` : ''}${error.pointer}`}>
              {error.message}
            </Alert>
          ))}
          {checked.data?.definition && <GraphView definition={checked.data.definition} />}
        </Stack>
      </SimpleGrid>
    </Stack>
  );
}
