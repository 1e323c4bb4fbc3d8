import { Button, Group, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap, type Schemas } from '../api/client';
import { whose } from '../lib/question';
import { texts } from '../texts';
import { Failure } from './Failure';

const words = texts.owner;

/** Whose a question is, and what changes that. The server decides who may. */
export function Owner({ interrupt, may }: { interrupt: Schemas['Interrupt']; may: boolean }) {
  const queries = useQueryClient();
  const [to, setTo] = useState<string>();
  const params = { params: { path: { id: interrupt.id } } };
  const change = useMutation({
    mutationFn: (call: () => Promise<Schemas['Interrupt']>) => call(),
    onSuccess: () => setTo(undefined),
    onSettled: () => queries.invalidateQueries(),
  });
  const claim = () => unwrap<Schemas['Interrupt']>(api.POST('/v1/interrupts/{id}/claim', params));
  const release = () => unwrap<Schemas['Interrupt']>(api.POST('/v1/interrupts/{id}/release', params));
  const delegate = (person: string) => unwrap<Schemas['Interrupt']>(api.POST('/v1/interrupts/{id}/delegate', { ...params, body: { to: person } }));
  const owner = whose(interrupt);
  const small = { size: 'compact-sm', variant: 'subtle', loading: change.isPending } as const;
  return (
    <>
      {owner && (
        <Text size="sm" className="whole">
          {owner}
        </Text>
      )}
      {may && (
        <Group gap="xs">
          {interrupt.assignee ? (
            <Button {...small} onClick={() => change.mutate(release)}>
              {words.release}
            </Button>
          ) : (
            <Button {...small} onClick={() => change.mutate(claim)}>
              {words.claim}
            </Button>
          )}
          <Button {...small} aria-expanded={to !== undefined} onClick={() => setTo(to === undefined ? '' : undefined)}>
            {words.delegate}
          </Button>
        </Group>
      )}
      {to !== undefined && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (to.trim()) change.mutate(() => delegate(to.trim()));
          }}
        >
          <Group gap="xs" align="flex-end">
            <TextInput label={words.to} description={words.toHint} value={to} maxLength={256} onChange={(event) => setTo(event.currentTarget.value)} />
            <Button type="submit" size="sm" loading={change.isPending} disabled={!to.trim()}>
              {words.give}
            </Button>
          </Group>
        </form>
      )}
      {change.error && <Failure error={change.error} />}
    </>
  );
}
