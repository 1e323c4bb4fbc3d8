import { Anchor, Badge, Card, Group, Loader, SimpleGrid, Stack, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { Link } from 'react-router';
import type { Schemas } from '../../api/client';
import { Failure } from '../../components/Failure';
import { JsonValue } from '../../components/JsonValue';
import type { LiveRun } from '../../lib/live';
import { toolCalls, type TaskPlace, type ToolCall } from '../../lib/toolCalls';
import { texts as frame } from '../../texts';
import { runPath } from './addresses';
import { useShownTasks } from './live';
import { texts } from './texts';

const colors = { open: 'blue', done: 'green', failed: 'red' };

function TaskAnchor({ run, task }: { run: string; task: TaskPlace }) {
  return (
    <Anchor component={Link} to={runPath(run, 'tasks', task.task_id)} size="sm">
      {task.task_id}
    </Anchor>
  );
}

/** A call of a tool: its arguments and its result, and the tasks that asked for it and ran it. */
export function ToolCallCard({ run, call }: { run: string; call: ToolCall }) {
  return (
    <Card withBorder role="article" aria-label={call.name}>
      <Group gap="xs" mb="xs">
        <Badge color={colors[call.status]}>{texts.tools.status[call.status]}</Badge>
        <Text fw={600}>{call.name}</Text>
        {call.asker && (
          <>
            <Text size="sm">{texts.tools.asked}</Text>
            <TaskAnchor run={run} task={call.asker} />
          </>
        )}
        {call.runner && (
          <>
            <Text size="sm">{texts.tools.ran}</Text>
            <TaskAnchor run={run} task={call.runner} />
          </>
        )}
      </Group>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {call.asker ? (
          <div>
            <Text size="xs" c="dimmed">
              {texts.tools.arguments}
            </Text>
            <JsonValue value={call.arguments} label={texts.tools.argumentsOf(call.name)} />
          </div>
        ) : (
          <Text size="sm">{texts.tools.unknownArguments}</Text>
        )}
        {call.status !== 'open' && (
          <div>
            <Text size="xs" c="dimmed">
              {texts.tools.result}
            </Text>
            <JsonValue value={call.result} label={texts.tools.resultOf(call.name)} />
          </div>
        )}
      </SimpleGrid>
    </Card>
  );
}

/** All calls of tools in a run, as its messages have them; those of supersteps under way come with their commit. */
export function ToolCalls({ run, live }: { run: Schemas['Run']; live: LiveRun }) {
  const { tasks, query, book } = useShownTasks(run, live, 'traced');
  const calls = useMemo(() => toolCalls(tasks), [tasks]);
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({ count: calls.length, getScrollElement: () => box.current, estimateSize: () => 140, overscan: 5 });
  const count = (status: ToolCall['status']) => calls.filter((call) => call.status === status).length;
  return (
    <Stack gap="xs">
      {query.error && <Failure error={query.error} retry={() => void query.refetch()} />}
      {!book && !query.error && <Loader role="progressbar" aria-label={frame.loading} />}
      {book && !book.complete && <Text size="sm">{texts.live.reading(tasks.length)}</Text>}
      {book?.complete && calls.length === 0 && <Text size="sm">{texts.tools.none}</Text>}
      {book?.complete && calls.length > 0 && <Text size="sm">{book.more && `${texts.tools.newest(book.tasks.length)} `}{texts.tools.summary(calls.length, count('failed'), count('open'))}</Text>}
      {calls.length > 0 && (
        <div ref={box} className="rows tall" tabIndex={0} role="region" aria-label={texts.tools.region}>
          <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
            {rows.getVirtualItems().map((row) => (
              <div key={row.key} ref={rows.measureElement} data-index={row.index} className="row spaced" style={{ transform: `translateY(${row.start}px)` }}>
                <ToolCallCard run={run.id} call={calls[row.index]!} />
              </div>
            ))}
          </div>
        </div>
      )}
    </Stack>
  );
}
