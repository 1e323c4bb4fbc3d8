import { Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { api, unwrap, type Schemas } from '../../api/client';
import { Failure } from '../../components/Failure';
import { ended, useDefinition } from '../../lib/queries';
import { texts } from './texts';

const SHOWN = 5;

/** Whether a text is a message that a channel of the graph takes. */
export function takesMessages(definition: Record<string, unknown> | undefined): boolean {
  const channels = (definition?.channels ?? {}) as Record<string, { reducer?: string } | undefined>;
  const named = (definition?.inbox as { channel?: string } | undefined)?.channel ?? 'messages';
  return channels[named]?.reducer === 'messages';
}

/** What a message says, as one line. */
export function said(message: Schemas['RunMessage']): string {
  const items = Array.isArray(message.value) ? (message.value as { content?: unknown }[]) : [];
  const content = items[0]?.content ?? message.value;
  return typeof content === 'string' ? content : JSON.stringify(content);
}

type Cursor = string | undefined;

/** The last messages from a page on: a run lists its messages from the first. */
async function latestFrom(id: string, from: Cursor): Promise<{ messages: Schemas['RunMessage'][]; last: Cursor }> {
  let messages: Schemas['RunMessage'][] = [];
  let last = from;
  for (let next: Cursor | null = from; next !== null; ) {
    last = next;
    const query = { limit: 200, cursor: next };
    const page: Schemas['ListingRunMessage'] = await unwrap(api.GET('/v1/runs/{id}/messages', { params: { path: { id }, query } }));
    messages = [...messages, ...page.items].slice(-SHOWN);
    next = page.next_cursor ?? null;
  }
  return { messages, last };
}

/** Says something to a run while it works. */
export function Talk({ run, lastSeq }: { run: Schemas['Run']; lastSeq: number }) {
  const [text, setText] = useState('');
  const page = useRef<Cursor>(undefined);
  const queries = useQueryClient();
  const params = { path: { id: run.id } };
  const definition = useDefinition(run.graph, run.version).data?.definition as Record<string, unknown> | undefined;
  const takes = takesMessages(definition);
  const messages = useQuery({
    queryKey: ['run', run.id, 'messages', lastSeq],
    enabled: takes,
    queryFn: async () => {
      const latest = await latestFrom(run.id, page.current);
      page.current = latest.last;
      return latest.messages;
    },
  });
  const send = useMutation({
    mutationFn: (message: string) => unwrap(api.POST('/v1/runs/{id}/messages', { params, body: { message } })),
    onSuccess: () => setText(''),
    onSettled: () => queries.invalidateQueries({ queryKey: ['run', run.id] }),
  });
  const latest = messages.data ?? [];
  if (!takes || (ended(run.status) && latest.length === 0)) return null;
  return (
    <Stack gap="xs">
      {latest.map((message) => (
        <Group key={message.seq} gap="xs" wrap="nowrap">
          <Badge variant="light" className="whole">
            {message.superstep === undefined ? message.status : texts.talk.taken(message.superstep)}
          </Badge>
          <Text size="sm" lineClamp={2}>
            {said(message).slice(0, 500)}
          </Text>
        </Group>
      ))}
      {run.status !== 'succeeded' && run.status !== 'cancelled' && (
        <form
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            if (text.trim() !== '') send.mutate(text);
          }}
        >
          <Group gap="xs" wrap="nowrap" align="end">
            <TextInput flex={1} size="sm" label={texts.talk.label} value={text} onChange={(event) => setText(event.currentTarget.value)} />
            <Button type="submit" size="sm" loading={send.isPending}>
              {texts.talk.send}
            </Button>
          </Group>
        </form>
      )}
      {send.error && <Failure error={send.error} />}
    </Stack>
  );
}
