import { Badge, Group, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { doing, taskName, type Doing, type RunTask } from '../../lib/tasks';
import { took } from '../../lib/time';
import { runPath } from './addresses';
import { texts } from './texts';

const colors: Record<Doing, string> = {
  running: 'blue',
  retrying: 'orange',
  waiting: 'cyan',
  held: 'teal',
  succeeded: 'green',
  handled: 'lime',
  failed: 'red',
  interrupted: 'yellow',
  cancelled: 'gray',
};

export function DoingBadge({ now }: { now: Doing }) {
  return (
    <Badge color={colors[now]} w={110} title={now === 'held' ? texts.nodes.heldHint : undefined}>
      {texts.doing[now]}
    </Badge>
  );
}

interface Props {
  run: string;
  tasks: RunTask[];
  committed: number;
  /** The id of the task that is open. */
  selected?: string;
}

/** Tasks as rows, each a link to its address; ten thousand of them are as quick as ten. */
export function TaskList({ run, tasks, committed, selected }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({ count: tasks.length, getScrollElement: () => box.current, estimateSize: () => 32, overscan: 10, getItemKey: (index) => tasks[index]!.task_id });
  const place = selected === undefined ? -1 : tasks.findIndex((task) => task.task_id === selected);
  const found = place >= 0;
  useEffect(() => {
    if (found) rows.scrollToIndex(place, { align: 'center' });
    // Tasks that come on top must not move what somebody reads: only a new choice scrolls.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [selected, found]);
  if (tasks.length === 0) return <Text size="sm">{texts.tasks.none}</Text>;
  return (
    <div ref={box} className="rows" tabIndex={0} role="region" aria-label={texts.tasks.region}>
      <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map((row) => {
          const task = tasks[row.index]!;
          return (
            <Link
              key={row.key}
              to={runPath(run, 'tasks', task.task_id)}
              className="row row-link"
              aria-current={task.task_id === selected ? 'true' : undefined}
              style={{ transform: `translateY(${row.start}px)`, height: row.size }}
            >
              <Group wrap="nowrap" gap="sm">
                <Text size="sm" w={48} c="dimmed">
                  {task.superstep}
                </Text>
                <DoingBadge now={doing(task, committed)} />
                <Text size="sm" className="cut">
                  {taskName(task)}
                </Text>
                {task.attempts > 1 && <Text size="sm">{texts.tasks.attempts(task.attempts)}</Text>}
                <Text size="sm" c="dimmed">
                  {took(task.started_at, task.finished_at)}
                </Text>
                {task.error && (
                  <Text size="sm" c="var(--mantine-color-error)" className="cut">
                    {task.error.code}
                  </Text>
                )}
              </Group>
            </Link>
          );
        })}
      </div>
    </div>
  );
}
