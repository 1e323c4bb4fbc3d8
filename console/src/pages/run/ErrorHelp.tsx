import { Alert, Anchor, Button, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, unwrap, type Schemas } from '../../api/client';
import { Failure } from '../../components/Failure';
import { JsonValue } from '../../components/JsonValue';
import { taskId } from '../../lib/live';
import { runPath } from './addresses';
import { texts } from './texts';

/** What a code means and what to do, as the service explains it; asked for when somebody wants to know. */
function ErrorHelp({ code }: { code: string }) {
  const [open, setOpen] = useState(false);
  const help = useQuery({
    queryKey: ['error-code', code],
    enabled: open,
    staleTime: Infinity,
    queryFn: () => unwrap(api.GET('/v1/error-codes/{code}', { params: { path: { code } } })),
  });
  return (
    <Stack gap="xs" align="flex-start">
      <Button size="compact-sm" variant="default" aria-expanded={open} loading={help.isLoading} onClick={() => setOpen(!open)}>
        {texts.error.help}
      </Button>
      {open && help.error && <Failure error={help.error} retry={() => void help.refetch()} />}
      {open && help.data && (
        <>
          <Text size="sm">{help.data.meaning}</Text>
          {help.data.causes.length > 0 && (
            <div>
              <Text size="sm" fw={600}>
                {texts.error.causes}
              </Text>
              <List size="sm">
                {help.data.causes.map((cause) => <List.Item key={cause}>{cause}</List.Item>)}
              </List>
            </div>
          )}
          <div>
            <Text size="sm" fw={600}>
              {texts.error.remedy}
            </Text>
            <Text size="sm">{help.data.remedy}</Text>
          </div>
        </>
      )}
    </Stack>
  );
}

/** Why a run or a task failed, where, and what to do about it; `run` makes a link to the task. */
export function RunFailure({ error, run }: { error: Schemas['RunError']; run?: string }) {
  const place = texts.error.place(error.node, error.superstep, error.attempt);
  const task = run !== undefined && error.node !== undefined && error.superstep !== undefined ? taskId(error.superstep, error.node, error.dispatch_id) : undefined;
  return (
    <Alert color="red" title={error.code}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm" className="whole">
          {error.message}
        </Text>
        {place && (
          <Text size="sm" c="dimmed">
            {place}
          </Text>
        )}
        {task && (
          <Anchor component={Link} to={runPath(run!, 'tasks', task)} size="sm" c="inherit">
            {texts.error.task}
          </Anchor>
        )}
        {error.details && <JsonValue value={error.details} label={texts.error.details} />}
        <ErrorHelp key={error.code} code={error.code} />
      </Stack>
    </Alert>
  );
}
