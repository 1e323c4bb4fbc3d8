import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import { ApiError } from '../api/client';
import { texts } from '../texts';

/** A failed call or page: what went wrong, where, and what to do about it. */
export function Failure({ error, retry }: { error: Error; retry?: () => void }) {
  const problem = error instanceof ApiError ? error.problem : undefined;
  return (
    <Alert color="red" title={problem?.title ?? error.message} role="alert">
      <Stack gap="xs" align="flex-start">
        {problem?.detail && <Text size="sm">{problem.detail}</Text>}
        {problem?.code && <Code>{problem.code}</Code>}
        {retry && (
          <Button size="xs" variant="light" color="red" onClick={retry}>
            {texts.again}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
