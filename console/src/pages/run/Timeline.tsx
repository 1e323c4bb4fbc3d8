import { Group, Stack, Text, Tooltip } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { Failure } from '../../components/Failure';
import { took } from '../../lib/time';
import { bars } from '../../lib/timeline';
import { useTasks } from './live';

/** Every task as a bar over time: what ran beside what, and who waited for whom. */
export function Timeline({ run }: { run: string }) {
  const tasks = useTasks(run);
  const drawn = useMemo(() => bars([...(tasks.data?.tasks ?? [])].reverse(), tasks.dataUpdatedAt), [tasks.data, tasks.dataUpdatedAt]);
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({ count: drawn.bars.length, getScrollElement: () => box.current, estimateSize: () => 26, overscan: 10 });
  return (
    <Stack gap="xs">
      {tasks.error && <Failure error={tasks.error} retry={() => void tasks.refetch()} />}
      <Text size="sm">{`${drawn.bars.length} tasks within ${took(new Date(drawn.from).toISOString(), new Date(drawn.to).toISOString())}`}</Text>
      <div ref={box} className="rows tall" tabIndex={0} role="region" aria-label="Timeline of tasks">
        <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {rows.getVirtualItems().map((row) => {
            const { task, left, width } = drawn.bars[row.index]!;
            const name = task.dispatch_id ? `${task.node} ${task.dispatch_id}` : task.node;
            const words = `${task.superstep} · ${name} · ${task.status} · ${took(task.started_at, task.finished_at) || 'still running'}${task.attempts > 1 ? ` · ${task.attempts} attempts` : ''}`;
            return (
              <Group key={row.key} className="row" wrap="nowrap" gap="xs" style={{ transform: `translateY(${row.start}px)` }}>
                <Text size="xs" w={170} className="cut" title={words}>{`${task.superstep} ${name}`}</Text>
                <div className="track">
                  <Tooltip label={words}>
                    <div className={`bar bar-${task.status}`} role="img" aria-label={words} style={{ left: `${left * 100}%`, width: `max(3px, ${width * 100}%)` }} />
                  </Tooltip>
                </div>
              </Group>
            );
          })}
        </div>
      </div>
    </Stack>
  );
}
