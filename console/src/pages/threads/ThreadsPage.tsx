import { Anchor, Card, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Route, Routes, useParams } from 'react-router';
import { api, unwrap, type Schemas } from '../../api/client';
import { Failure } from '../../components/Failure';
import { JsonValue } from '../../components/JsonValue';
import { RunStatus } from '../../components/RunStatus';
import { RunTable } from '../../components/RunTable';
import { when } from '../../lib/time';
import { texts as frame } from '../../texts';
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

function Thread() {
  const { id = '' } = useParams();
  const params = { path: { thread_id: id } };
  const thread = useQuery({ queryKey: ['thread', id], queryFn: () => unwrap(api.GET('/v1/threads/{thread_id}', { params })), refetchInterval: 3_000 });
  const runs = useQuery({ queryKey: ['thread', id, 'runs'], queryFn: () => unwrap(api.GET('/v1/threads/{thread_id}/runs', { params: { ...params, query: { limit: 50 } } })), refetchInterval: 3_000 });
  if (thread.error) return <Failure error={thread.error} retry={() => void thread.refetch()} />;
  if (!thread.data) return <Loader aria-label={frame.loading} />;
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
        {texts.state}
      </Title>
      <JsonValue value={thread.data.state} label={texts.stateOf} />
    </Stack>
  );
}

function Threads() {
  const threads = useQuery({ queryKey: ['threads'], queryFn: () => unwrap(api.GET('/v1/threads', { params: { query: { limit: 100 } } })), refetchInterval: 3_000 });
  return (
    <Stack>
      <Title order={2}>{texts.title}</Title>
      {threads.error && <Failure error={threads.error} retry={() => void threads.refetch()} />}
      {threads.data?.items.length === 0 && <Text>{texts.none}</Text>}
      {threads.data?.items.map((thread) => (
        <Card key={thread.thread_id} withBorder>
          <Group justify="space-between">
            <Anchor component={Link} to={`/threads/${encodeURIComponent(thread.thread_id)}`} className="cut">
              {thread.thread_id}
            </Anchor>
            <Group>
              <Text size="sm">{when(thread.created_at)}</Text>
              <RunStatus status={thread.last_run.status} />
            </Group>
          </Group>
        </Card>
      ))}
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
