import { Button, JsonInput, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { Failure } from '../../components/Failure';
import { JsonValue } from '../../components/JsonValue';
import { useMay } from '../../lib/server';
import { texts } from './texts';

/** Tries out expressions as conditions and templates have them. */
export function Playground() {
  const may = useMay('author');
  const [expression, setExpression] = useState("state.topics.map(t, t + '!')");
  const [scope, setScope] = useState('{ "state": { "topics": ["cats", "dogs"] } }');
  const evaluate = useMutation({
    mutationFn: () => unwrap(api.POST('/v1/expressions/evaluate', { body: { expression, variables: JSON.parse(scope) as Record<string, unknown> } })),
  });
  return (
    <Stack maw={760} align="stretch">
      <Textarea label={texts.expressions.expression} value={expression} onChange={(event) => setExpression(event.currentTarget.value)} autosize minRows={2} ff="monospace" />
      <JsonInput label={texts.expressions.scope} value={scope} onChange={setScope} validationError={texts.notJson} autosize minRows={3} maxRows={14} />
      {may ? (
        <Button loading={evaluate.isPending} onClick={() => evaluate.mutate()} style={{ alignSelf: 'flex-start' }}>
          {texts.expressions.evaluate}
        </Button>
      ) : (
        <Text c="dimmed">{texts.mayNot}</Text>
      )}
      {evaluate.error && <Failure error={evaluate.error} />}
      {evaluate.data && <JsonValue value={evaluate.data.value} label={texts.expressions.value} />}
    </Stack>
  );
}
