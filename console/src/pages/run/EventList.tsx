import { Button, Group, Stack, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { api, unwrap, type Schemas } from '../../api/client';
import { Failure } from '../../components/Failure';
import { JsonValue } from '../../components/JsonValue';
import type { LiveRun } from '../../lib/live';
import { when } from '../../lib/time';
import { runPath } from './addresses';
import { GoTo } from './GoTo';
import { eventsPage, useMarks } from './live';
import { texts } from './texts';

type RunEvent = Schemas['RunEvent'];

const words = texts.events;

/** The events that the rows on the screen need: their numbers have no gaps, so a page is known by its place. */
function useEvents(run: string, known: number, pages: number[]) {
  const [events] = useState(() => new Map<number, RunEvent>());
  const [seen, setSeen] = useState(0);
  const last = Math.max(known, seen);
  const queries = useQueries({
    queries: pages.map((page) => {
      const full = (page + 1) * eventsPage <= last;
      return {
        queryKey: ['events', run, page, full ? 'all' : known],
        // What the cache holds is how many there were: a list that was opened again reads them again.
        staleTime: full && events.has(page * eventsPage + 1) ? Infinity : 0,
        gcTime: 60_000,
        queryFn: async () => {
          const { items } = await unwrap(api.GET('/v1/runs/{id}/events', { params: { path: { id: run }, query: { after: page * eventsPage, limit: eventsPage } } }));
          for (const event of items) events.set(event.seq!, event);
          // A full page may not be the last one: one row more makes the next be read.
          setSeen((before) => Math.max(before, (items.at(-1)?.seq ?? 0) + (items.length === eventsPage ? 1 : 0)));
          return items.length;
        },
      };
    }),
  });
  return { events, last, error: queries.find((query) => query.error)?.error, loading: queries.some((query) => query.isFetching), retry: () => queries.forEach((query) => query.error && void query.refetch()) };
}

/** The stored events of a run, in their order; the one that the address names is open. */
export function EventList({ run, live, selected }: { run: string; live: LiveRun; selected?: number }) {
  const navigate = useNavigate();
  const marks = useMarks(run, live.lastSeq);
  const known = Math.max(live.lastSeq, marks.data?.at(-1)?.seq ?? 0, 1);
  const box = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState({ from: 0, to: 0 });
  const pages = new Set<number>();
  for (let page = Math.floor(range.from / eventsPage); page <= Math.floor(range.to / eventsPage); page++) pages.add(page);
  if (selected !== undefined) pages.add(Math.floor((selected - 1) / eventsPage));
  const { events, last, error, loading, retry } = useEvents(run, known, [...pages]);
  const rows = useVirtualizer({
    count: last,
    getScrollElement: () => box.current,
    estimateSize: () => 28,
    overscan: 10,
    onChange: ({ range: shown }) => shown && setRange((before) => (before.from === shown.startIndex && before.to === shown.endIndex ? before : { from: shown.startIndex, to: shown.endIndex })),
  });
  const reachable = selected !== undefined && selected <= last;
  useEffect(() => {
    if (reachable) rows.scrollToIndex(selected - 1, { align: 'center' });
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [selected, reachable]);
  const open = (seq: number) => void navigate(runPath(run, 'events', seq));
  const shown = selected === undefined ? undefined : events.get(selected);
  return (
    <Stack gap="xs">
      {error && <Failure error={error} retry={retry} />}
      <Group align="flex-end">
        <GoTo label={words.go} min={1} max={last} value={selected} onGo={open} />
        <Button variant="default" onClick={() => open(last)}>
          {words.last}
        </Button>
        <Text size="sm" c="dimmed">
          {words.known(last)}
        </Text>
      </Group>
      <div ref={box} className="rows" tabIndex={0} role="region" aria-label={words.region}>
        <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {rows.getVirtualItems().map((row) => {
            const seq = row.index + 1;
            const event = events.get(seq);
            return (
              <Link key={row.key} to={runPath(run, 'events', seq)} className="row row-link timeline-row" aria-current={seq === selected ? 'true' : undefined} style={{ transform: `translateY(${row.start}px)`, height: row.size }}>
                <Text size="sm" c="dimmed" w={64}>
                  {seq}
                </Text>
                <Text size="sm" w={220} className="cut">
                  {event?.type ?? '…'}
                </Text>
                <Text size="sm" w={220} className="cut">
                  {event && words.place(event.superstep, event.node, event.dispatch_id)}
                </Text>
                <Text size="sm" c="dimmed" className="one-line">
                  {event && when(event.at)}
                </Text>
              </Link>
            );
          })}
        </div>
      </div>
      {shown && <JsonValue value={shown} label={words.label(selected!)} />}
      {selected !== undefined && !shown && !loading && <Text>{words.missing}</Text>}
    </Stack>
  );
}
