import { Anchor, Badge, Button, Card, Group, Loader, Stack, Table, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link, Route, Routes, useParams } from 'react-router';
import { api, unwrap, type Schemas } from '../../api/client';
import { Failure } from '../../components/Failure';
import { JsonValue } from '../../components/JsonValue';
import { RunStatus } from '../../components/RunStatus';
import { RunTable } from '../../components/RunTable';
import { when } from '../../lib/time';
import { texts as frame } from '../../texts';
import { parts, type Part } from './history';
import { texts } from './texts';

interface Message {
  id?: string;
  role?: string;
  content?: unknown;
  tool_calls?: unknown;
}

/** The messages of a state, if it has a channel of that name. */
function messages(state: Record<string, unknown>): Message[] {
  return Array.isArray(state.messages) ? (state.messages as Message[]) : [];
}

function Conversation({ state }: { state: Schemas['ThreadState']['state'] }) {
  return (
    <Stack component="section" aria-label={texts.messages}>
      {messages(state).map((message, index) => (
        <Card key={message.id ?? index} withBorder ml={message.role === 'user' ? 40 : 0} mr={message.role === 'user' ? 0 : 40}>
          <Text size="xs" c="dimmed">
            {message.role}
          </Text>
          <JsonValue value={message.content} />
          {message.tool_calls !== undefined && <JsonValue value={message.tool_calls} label={texts.toolCalls} />}
        </Card>
      ))}
    </Stack>
  );
}

const checkpointPath = (run: string, number: number) => `/runs/${encodeURIComponent(run)}/checkpoints/${number}`;

function HistoryRow({ part }: { part: Part }) {
  const { run, first, last, from, branch, kept, at } = part;
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} to={`/runs/${encodeURIComponent(run)}`} ff="monospace" size="sm" className="cut" title={run}>
          {run}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <Anchor component={Link} to={checkpointPath(run, last)} size="sm">
          {texts.history.checkpoints(first, last)}
        </Anchor>
      </Table.Td>
      <Table.Td>
        {from && (
          <Group gap="xs" wrap="nowrap">
            <Anchor component={Link} to={checkpointPath(from.run_id, from.checkpoint)} size="sm" className="cut" title={from.run_id}>
              {texts.history.from(from.run_id, from.checkpoint)}
            </Anchor>
            {branch && <Badge color="grape">{texts.history.branch}</Badge>}
          </Group>
        )}
      </Table.Td>
      <Table.Td>
        <Badge color={kept === undefined ? 'gray' : 'green'} miw="max-content">
          {kept === undefined ? texts.history.left : kept < last ? texts.history.upTo(kept) : texts.history.kept}
        </Badge>
      </Table.Td>
      <Table.Td>
        <Text size="sm">{when(at)}</Text>
      </Table.Td>
    </Table.Tr>
  );
}

/** What each run has added to the thread, from where it began, and what of it the state of the thread has come through. */
function History({ id, head }: { id: string; head: Schemas['ThreadState']['head'] }) {
  const history = useInfiniteQuery({
    queryKey: ['thread', id, 'history'],
    queryFn: ({ pageParam }) => unwrap(api.GET('/v1/threads/{thread_id}/history', { params: { path: { thread_id: id }, query: { limit: 200, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 1) > 1 ? false : 3_000),
  });
  const pages = history.data?.pages;
  const all = useMemo(() => parts(pages?.flatMap((page) => page.items) ?? [], head), [pages, head]);
  return (
    <>
      {history.error && <Failure error={history.error} retry={() => void history.refetch()} />}
      {all.length > 0 && (
        <Table.ScrollContainer minWidth={560}>
          <Table aria-label={texts.history.title}>
            <Table.Thead>
              <Table.Tr>
                {[texts.history.run, texts.history.added, texts.history.began, texts.history.now, texts.history.at].map((title) => <Table.Th key={title}>{title}</Table.Th>)}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>{all.map((part) => <HistoryRow key={part.run} part={part} />)}</Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {history.hasNextPage && (
        <Button variant="default" onClick={() => void history.fetchNextPage()} loading={history.isFetchingNextPage}>
          {texts.history.older}
        </Button>
      )}
    </>
  );
}

function Thread() {
  const { id = '' } = useParams();
  const params = { path: { thread_id: id } };
  const thread = useQuery({ queryKey: ['thread', id], queryFn: () => unwrap(api.GET('/v1/threads/{thread_id}', { params })), refetchInterval: 3_000 });
  const runs = useQuery({ queryKey: ['thread', id, 'runs'], queryFn: () => unwrap(api.GET('/v1/threads/{thread_id}/runs', { params: { ...params, query: { limit: 50 } } })), refetchInterval: 3_000 });
  if (thread.error) return <Failure error={thread.error} retry={() => void thread.refetch()} />;
  if (!thread.data) return <Loader role="progressbar" aria-label={frame.loading} />;
  return (
    <Stack>
      <Title order={2}>{texts.thread(id)}</Title>
      <Conversation state={thread.data.state} />
      <Title order={3} size="h4">
        {texts.runs}
      </Title>
      {runs.error && <Failure error={runs.error} />}
      {runs.data && <RunTable runs={runs.data.items} />}
      <Title order={3} size="h4">
        {texts.history.title}
      </Title>
      <History id={id} head={thread.data.head} />
      <Title order={3} size="h4">
        {texts.state}
      </Title>
      <JsonValue value={thread.data.state} label={texts.stateOf} />
    </Stack>
  );
}

function Threads() {
  const threads = useInfiniteQuery({
    queryKey: ['threads'],
    queryFn: ({ pageParam }) => unwrap(api.POST('/v1/threads/search', { params: { query: { limit: 50, cursor: pageParam } }, body: {} })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 1) > 4 ? false : 3_000),
  });
  const items = threads.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Stack>
      <Title order={2}>{texts.title}</Title>
      {threads.error && <Failure error={threads.error} retry={() => void threads.refetch()} />}
      {threads.isSuccess && items.length === 0 && <Text>{texts.none}</Text>}
      {items.map((thread) => (
        <Card key={thread.thread_id} withBorder>
          <Group justify="space-between">
            <Anchor component={Link} to={`/threads/${encodeURIComponent(thread.thread_id)}`} className="cut">
              {thread.thread_id}
            </Anchor>
            <Group>
              <Text size="sm">{when(thread.updated_at)}</Text>
              {thread.last_run ? <RunStatus status={thread.last_run.status} /> : <Badge color="gray">{texts.noRun}</Badge>}
            </Group>
          </Group>
        </Card>
      ))}
      {threads.hasNextPage && (
        <Button variant="default" onClick={() => void threads.fetchNextPage()} loading={threads.isFetchingNextPage}>
          {texts.older}
        </Button>
      )}
    </Stack>
  );
}

/** Threads as conversations. */
export default function ThreadsPage() {
  return (
    <Routes>
      <Route index element={<Threads />} />
      <Route path=":id" element={<Thread />} />
    </Routes>
  );
}
