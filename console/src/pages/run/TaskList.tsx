import { Anchor, Badge, Button, Group, Modal, Stack, Text, UnstyledButton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import type { Schemas } from '../../api/client';
import { JsonValue } from '../../components/JsonValue';
import { took, when } from '../../lib/time';

type Task = Schemas['Task'];

const colors: Record<Task['status'], string> = {
  running: 'blue',
  waiting: 'cyan',
  succeeded: 'green',
  handled: 'lime',
  failed: 'red',
  interrupted: 'yellow',
  cancelled: 'gray',
};

function Details({ task }: { task: Task }) {
  return (
    <Stack>
      <Text size="sm">{`Superstep ${task.superstep}, ${task.attempts} attempts, ${when(task.started_at)}, ${took(task.started_at, task.finished_at)}`}</Text>
      {task.child_run_id && (
        <Anchor component={Link} to={`/runs/${encodeURIComponent(task.child_run_id)}`}>
          {`Its run ${task.child_run_id}`}
        </Anchor>
      )}
      {task.error && <JsonValue value={task.error} label="Error" />}
      {task.input !== undefined && (
        <>
          <Text fw={600}>Input</Text>
          <JsonValue value={task.input} label="Input of the task" />
        </>
      )}
      {task.change && (
        <>
          <Text fw={600}>What it changed</Text>
          <JsonValue value={task.change} label="Change" />
        </>
      )}
      <Text size="xs" c="dimmed">{`Idempotency key ${task.idempotency_key}`}</Text>
    </Stack>
  );
}

/** Tasks as rows; ten thousand of them are as quick as ten. */
export function TaskList({ tasks }: { tasks: Task[] }) {
  const [open, setOpen] = useState<Task>();
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({ count: tasks.length, getScrollElement: () => box.current, estimateSize: () => 36, overscan: 10 });
  return (
    <>
      <div ref={box} className="rows" tabIndex={0} role="region" aria-label="Tasks">
        <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {rows.getVirtualItems().map((row) => {
            const task = tasks[row.index]!;
            return (
              <UnstyledButton key={row.key} className="row" style={{ transform: `translateY(${row.start}px)` }} onClick={() => setOpen(task)}>
                <Group wrap="nowrap" gap="sm">
                  <Text size="sm" w={40} c="dimmed">
                    {task.superstep}
                  </Text>
                  <Badge color={colors[task.status]} w={110}>
                    {task.status}
                  </Badge>
                  <Text size="sm" className="cut">
                    {task.dispatch_id ? `${task.node} ${task.dispatch_id}` : task.node}
                  </Text>
                  {task.attempts > 1 && <Text size="sm">{`${task.attempts} attempts`}</Text>}
                  <Text size="sm" c="dimmed">
                    {took(task.started_at, task.finished_at)}
                  </Text>
                  {task.error && (
                    <Text size="sm" c="red">
                      {task.error.code}
                    </Text>
                  )}
                </Group>
              </UnstyledButton>
            );
          })}
        </div>
      </div>
      <Modal opened={open !== undefined} onClose={() => setOpen(undefined)} title={open?.task_id} size="lg">
        {open && <Details task={open} />}
        <Button mt="md" variant="default" onClick={() => setOpen(undefined)}>
          Close
        </Button>
      </Modal>
    </>
  );
}
