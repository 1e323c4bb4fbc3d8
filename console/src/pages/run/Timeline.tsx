import { Group, Loader, SegmentedControl, Stack, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { Schemas } from '../../api/client';
import { Failure } from '../../components/Failure';
import { howMany } from '../../lib/counts';
import type { LiveRun } from '../../lib/live';
import { doing, isUnfinished, taskName } from '../../lib/tasks';
import { duration } from '../../lib/time';
import { timeline, within, type Bar, type Row } from '../../lib/timeline';
import { texts as frame } from '../../texts';
import { runPath } from './addresses';
import { useCounts, useMarks, useShownTasks } from './live';
import { texts } from './texts';

interface Window {
  from: number;
  to: number;
}

const words = texts.timeline;
const percent = (part: number) => `${part * 100}%`;

/** A stretch of the track: where it is within the window, never too thin to be seen. */
function stretch(from: number, to: number, window: Window) {
  const { left, width } = within(from, to, window);
  return { left: `min(${percent(left)}, 100% - 3px)`, width: `max(3px, ${percent(width)})` };
}

function TaskBar({ bar, window, committed }: { bar: Bar; window: Window; committed: number }) {
  const { task } = bar;
  const now = doing(task, committed);
  const waited = bar.until - bar.to;
  const label = words.task(task.superstep, taskName(task), texts.doing[now], isUnfinished(task, committed) ? '' : duration(bar.to - bar.from), task.attempts, waited > 0 ? duration(waited) : '');
  return (
    <>
      <Text size="xs" w={190} pl="md" className="cut" title={label}>
        {taskName(task)}
        {task.attempts > 1 ? ` ×${task.attempts}` : ''}
      </Text>
      <div className="track">
        {waited > 0 && <div className="bar bar-waited" style={stretch(bar.to, bar.until, window)} />}
        <div className={`bar bar-${now}`} role="img" aria-label={label} title={label} style={stretch(bar.from, bar.to, window)} />
      </div>
    </>
  );
}

function TimelineRow({ row, window, committed }: { row: Row; window: Window; committed: number }) {
  switch (row.kind) {
    case 'task':
      return <TaskBar bar={row} window={window} committed={committed} />;
    case 'superstep':
      return (
        <Text size="xs" fw={600} className="one-line">
          {words.head(row.superstep, row.tasks, duration(row.to - row.from), row.retried, row.open)}
          {row.slowest && row.waitedMs > 0 && <Text span size="xs" c="dimmed">{` · ${words.waited(row.slowest, duration(row.waitedMs), row.open)}`}</Text>}
        </Text>
      );
    case 'mark':
      return (
        <>
          <Text size="xs" w={190} fw={600} className="cut" c={row.type === 'run.taken_over' || row.type === 'run.failed' ? 'var(--mantine-color-error)' : undefined}>
            {words.mark[row.type] ?? row.type}
          </Text>
          <div className="track">
            <div className="bar bar-mark" style={stretch(row.from, row.from, window)} />
          </div>
        </>
      );
  }
}

function address(run: string, row: Row): string {
  switch (row.kind) {
    case 'task':
      return runPath(run, 'tasks', row.task.task_id);
    case 'superstep':
      return `${runPath(run, 'checkpoints')}?superstep=${row.superstep}`;
    case 'mark':
      return runPath(run, 'events', row.seq);
  }
}

function keyOf(row: Row): string {
  switch (row.kind) {
    case 'task':
      return row.task.task_id;
    case 'superstep':
      return `superstep ${row.superstep}`;
    case 'mark':
      return `event ${row.seq}`;
  }
}

/** Every superstep and task over time: what ran beside what, who waited for whom, and what happened to the run. */
export function Timeline({ run, live }: { run: Schemas['Run']; live: LiveRun }) {
  const { tasks, committed, query, book } = useShownTasks(run, live);
  const counts = useCounts(run.id);
  const total = counts.data && howMany(counts.data);
  const marks = useMarks(run.id, live.lastSeq);
  // Marks that came later would move the rows under somebody's pointer.
  const ready = !marks.isPending;
  const drawn = useMemo(() => timeline(ready ? tasks : [], marks.data ?? [], committed, query.dataUpdatedAt), [ready, tasks, marks.data, committed, query.dataUpdatedAt]);
  const [scale, setScale] = useState<'whole' | 'visible'>();
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({ count: drawn.rows.length, getScrollElement: () => box.current, estimateSize: () => 24, overscan: 10, getItemKey: (index) => keyOf(drawn.rows[index]!) });
  const items = rows.getVirtualItems();
  const chosen = scale ?? (drawn.rows.length > 300 ? 'visible' : 'whole');
  const seen = items.map((item) => drawn.rows[item.index]!).filter((row) => row.kind !== 'mark');
  const window =
    chosen === 'whole' || seen.length === 0
      ? { from: drawn.from, to: drawn.to }
      : seen.reduce<Window>((sum, row) => ({ from: Math.min(sum.from, row.from), to: Math.max(sum.to, row.to) }), { from: Infinity, to: -Infinity });
  return (
    <Stack gap="xs">
      {query.error && <Failure error={query.error} retry={() => void query.refetch()} />}
      {marks.error && <Failure error={marks.error} retry={() => void marks.refetch()} />}
      {!book && !query.error && <Loader role="progressbar" aria-label={frame.loading} />}
      {book && !book.complete && <Text size="sm">{texts.live.reading(tasks.length, total)}</Text>}
      <Group justify="space-between">
        <Text size="sm">{book?.complete && ready ? words.summary(drawn.tasks, duration(drawn.to - drawn.from), book.more ? total : undefined) : ''}</Text>
        <SegmentedControl
          size="xs"
          aria-label={words.scale}
          value={chosen}
          onChange={(value) => setScale(value as 'whole' | 'visible')}
          data={[
            { value: 'whole', label: words.whole },
            { value: 'visible', label: words.visible },
          ]}
        />
      </Group>
      <div ref={box} className="rows tall" tabIndex={0} role="region" aria-label={words.region}>
        <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {items.map((item) => {
            const row = drawn.rows[item.index]!;
            return (
              <Link key={item.key} to={address(run.id, row)} className="row row-link timeline-row" style={{ transform: `translateY(${item.start}px)`, height: item.size }}>
                <TimelineRow row={row} window={window} committed={committed} />
              </Link>
            );
          })}
        </div>
      </div>
    </Stack>
  );
}
