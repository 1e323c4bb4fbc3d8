import { Anchor, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, unwrap, type Schemas } from '../api/client';
import { useMay } from '../lib/server';
import { when } from '../lib/time';
import { texts } from '../texts';
import { Failure } from './Failure';
import { JsonValue } from './JsonValue';
import { initial, SchemaForm } from './SchemaForm';

const words = texts.question;

function approves(schema: unknown): boolean {
  const properties = (schema as { properties?: Record<string, { type?: string }> } | undefined)?.properties;
  return properties?.approved?.type === 'boolean';
}

/** The schema without what the buttons say. */
function withoutApproved(schema: unknown): unknown {
  const { properties, ...rest } = schema as { properties: Record<string, unknown> };
  return { ...rest, properties: Object.fromEntries(Object.entries(properties).filter(([name]) => name !== 'approved')) };
}

/** An open question of a run, answered in place. */
export function Question({ interrupt }: { interrupt: Schemas['Interrupt'] }) {
  const queries = useQueryClient();
  const may = useMay('run');
  const [value, setValue] = useState<unknown>(() => initial(interrupt.schema));
  const answer = useMutation({
    mutationFn: (given: unknown) =>
      unwrap(api.POST('/v1/interrupts/{id}/answer', { params: { path: { id: interrupt.id } }, body: { value: given ?? null } })),
    onSettled: () => queries.invalidateQueries(),
  });
  const send = (approved: boolean) => answer.mutate({ ...(value as object), approved });
  return (
    <Card withBorder component="article" aria-label={words.name(interrupt.reason)}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={3} size="h5">
            {interrupt.reason}
          </Title>
          {interrupt.expires_at && <Text size="sm">{words.until(when(interrupt.expires_at))}</Text>}
        </Group>
        <Text size="sm" c="dimmed">
          {words.from(interrupt.graph, interrupt.node, when(interrupt.created_at))}
          <Anchor component={Link} to={`/runs/${encodeURIComponent(interrupt.run_id)}`} size="sm">
            {words.run(interrupt.run_id)}
          </Anchor>
        </Text>
        <JsonValue value={interrupt.payload} label={words.asks} />
        <form
          onSubmit={(event) => {
            event.preventDefault();
            // Enter in a field must not stand for one of two buttons.
            if (may && !approves(interrupt.schema)) answer.mutate(value);
          }}
        >
          <Stack gap="sm">
            <SchemaForm schema={approves(interrupt.schema) ? withoutApproved(interrupt.schema) : interrupt.schema} label={words.answer} value={value} onChange={setValue} />
            {!may && (
              <Text size="sm" c="dimmed">
                {texts.access.mayNotAnswer}
              </Text>
            )}
            <Group display={may ? undefined : 'none'}>
              {approves(interrupt.schema) ? (
                <>
                  <Button type="button" loading={answer.isPending} onClick={() => send(true)}>
                    {words.approve}
                  </Button>
                  <Button type="button" variant="light" color="red" loading={answer.isPending} onClick={() => send(false)}>
                    {words.reject}
                  </Button>
                </>
              ) : (
                <Button type="submit" loading={answer.isPending}>
                  {words.answer}
                </Button>
              )}
            </Group>
          </Stack>
        </form>
        {answer.error && <Failure error={answer.error} />}
      </Stack>
    </Card>
  );
}
