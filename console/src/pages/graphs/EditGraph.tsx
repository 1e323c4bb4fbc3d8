import { Alert, Button, Group, Loader, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { api, unwrap } from '../../api/client';
import type { Complete } from '../../components/Editor';
import { Failure } from '../../components/Failure';
import { GraphView } from '../../components/GraphView';
import { postGraph, useYaml } from '../../lib/queries';
import { useMay } from '../../lib/server';
import { texts as frame } from '../../texts';
import type { JsonSchema } from './schema';
import { useNames } from './names';
import { texts } from './texts';

const Editor = lazy(() => import('../../components/Editor'));

const blank = `name: greeting
nodes:
  - { id: greet, type: expression, config: { update: { greeting: "Hello {{ state.name }}!" } } }
`;
const nothing: never[] = [];
const shownMax = 20;
// The words of CodeMirror for what is offered.
const kinds = { key: 'property', word: 'enum', node: 'variable', channel: 'variable', name: 'constant' };

/** Edits a definition. The service checks it while it is written; saving makes a version. */
export function EditGraph() {
  const { name, version } = useParams();
  const stored = useYaml(name, version ? Number(version) : undefined);
  if (name && stored.error) return <Failure error={stored.error} />;
  if (name && stored.data === undefined) return <Loader role="progressbar" aria-label={frame.loading} />;
  return <Form key={`${name}/${version}`} first={name ? stored.data! : blank} />;
}

function Form({ first }: { first: string }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [text, setText] = useState(first);
  const [settled] = useDebouncedValue(text, 400);
  const schema = useQuery({ queryKey: ['schema'], staleTime: Infinity, queryFn: () => unwrap(api.GET('/v1/schema.json')) as Promise<unknown> });
  const complete = useCompletion(schema.data as JsonSchema | undefined);
  const may = useMay('author');
  const checked = useQuery({
    queryKey: ['validate', settled],
    // Checking is for authors, as saving is.
    enabled: may,
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
        <Title order={2}>{texts.editor.title}</Title>
        <Group>
          <Text size="sm" role="status">
            {checked.data?.valid ? texts.editor.valid : checked.data && texts.editor.problems(errors.length)}
          </Text>
          {may ? (
            <Button loading={save.isPending} disabled={!checked.data?.valid} onClick={() => save.mutate()}>
              {texts.editor.save}
            </Button>
          ) : (
            <Text c="dimmed">{texts.mayNotWrite}</Text>
          )}
        </Group>
      </Group>
      {save.error && <Failure error={save.error} />}
      {checked.error && <Failure error={checked.error} />}
      <Text size="sm" c="dimmed">
        {texts.editor.hint}
      </Text>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Suspense fallback={<Loader role="progressbar" aria-label={frame.loading} />}>
          <Editor text={first} label={texts.editor.label} onChange={setText} errors={errors} warnings={checked.data?.warnings ?? nothing} complete={complete} />
        </Suspense>
        <Stack>
          {errors.slice(0, shownMax).map((error) => (
            <Alert key={`${error.pointer} ${error.message}`} color="red" title={texts.editor.place(error.pointer, error.line)}>
              {error.message}
            </Alert>
          ))}
          {errors.length > shownMax && <Text size="sm">{texts.editor.more(errors.length - shownMax)}</Text>}
          {checked.data?.definition && <GraphView definition={checked.data.definition} />}
        </Stack>
      </SimpleGrid>
    </Stack>
  );
}

/** What is offered at the cursor; the code for it is loaded after the page. */
function useCompletion(schema: JsonSchema | undefined): Complete {
  const names = useNames();
  const completion = useRef<typeof import('./completion')>(undefined);
  useEffect(() => {
    void import('./completion').then((module) => {
      completion.current = module;
    });
  }, []);
  return useCallback<Complete>(
    (text, position) => {
      const found = schema && completion.current?.complete(schema, names, text, position);
      return found && { from: found.from, options: found.options.map(({ kind, ...option }) => ({ ...option, type: kinds[kind] })) };
    },
    [schema, names],
  );
}
