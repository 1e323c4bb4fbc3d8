import { Badge } from '@mantine/core';
import type { Schemas } from '../api/client';

type Status = Schemas['RunSummary']['status'];

const colors: Record<string, string> = {
  queued: 'gray',
  running: 'blue',
  waiting: 'cyan',
  interrupted: 'yellow',
  cancelling: 'orange',
  cancelled: 'gray',
  failed: 'red',
  succeeded: 'green',
};

/** The status of a run, in word and colour. */
export function RunStatus({ status }: { status: Status }) {
  return (
    <Badge color={colors[status ?? ''] ?? 'gray'} miw="max-content">
      {status}
    </Badge>
  );
}
