import { Button, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { Failure } from '../../components/Failure';
import { JsonValue } from '../../components/JsonValue';
import { when } from '../../lib/time';

/** The stored events of a run, in their order. */
export function EventList({ run }: { run: string }) {
  const [open, setOpen] = useState<number>();
  const events = useInfiniteQuery({
    queryKey: ['run', run, 'events'],
    queryFn: ({ pageParam }) => unwrap(api.GET('/v1/runs/{id}/events', { params: { path: { id: run }, query: { limit: 100, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor,
  });
  return (
    <Stack gap={4}>
      {events.error && <Failure error={events.error} retry={() => void events.refetch()} />}
      {events.data?.pages
        .flatMap((page) => page.items)
        .map((event) => (
          <div key={event.seq}>
            <Group gap="sm" wrap="nowrap">
              <Text size="sm" c="dimmed" w={48}>
                {event.seq}
              </Text>
              <Button size="compact-sm" variant="subtle" aria-expanded={open === event.seq} onClick={() => setOpen(open === event.seq ? undefined : event.seq)}>
                {event.type}
              </Button>
              <Text size="sm" className="cut">
                {[event.superstep !== undefined && `superstep ${event.superstep}`, event.node, event.dispatch_id].filter(Boolean).join(' · ')}
              </Text>
              <Text size="sm" c="dimmed">
                {when(event.at)}
              </Text>
            </Group>
            {open === event.seq && <JsonValue value={event.data} label={`Event ${event.seq}`} />}
          </div>
        ))}
      {events.hasNextPage && (
        <Button variant="default" loading={events.isFetchingNextPage} onClick={() => void events.fetchNextPage()}>
          Later events
        </Button>
      )}
    </Stack>
  );
}
