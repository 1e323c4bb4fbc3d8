import { Button, Group, Stack, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { missing } from '../lib/schema';
import { texts } from '../texts';
import { SchemaForm } from './SchemaForm';

export type Answering = UseMutationResult<unknown, Error, unknown>;

/** Hands the value to whoever sends it, if it is whole. */
export type Submit = (send: (value: unknown) => void) => void;

interface AnswerFormProps {
  schema: unknown;
  value: unknown;
  label: string;
  /** The buttons, which send the value if it is whole. */
  actions: (submit: Submit) => ReactNode;
  /** What Enter stands for; absent: nothing, for there are two buttons. */
  onEnter?: (value: unknown) => void;
  /** Whether nothing is an answer, too. */
  optional?: boolean;
  /** Without a way to write all of it as JSON. */
  plain?: boolean;
}

/** A form that sends nothing that is unfinished: it says what is still needed. */
export function AnswerForm({ schema, value: first, label, actions, onEnter, optional, plain }: AnswerFormProps) {
  const [value, setValue] = useState<unknown>(first);
  const [lacks, setLacks] = useState<string[]>([]);
  const [asJson, setAsJson] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const submit: Submit = (send) => {
    const nothing = value === undefined && !optional;
    const lacking = nothing ? [label] : asJson ? [] : missing(schema, value);
    setLacks(lacking);
    if (lacking.length === 0 && form.current?.reportValidity() !== false) send(value);
  };
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (onEnter) submit(onEnter);
      }}
    >
      <Stack gap="sm">
        <SchemaForm schema={schema} label={label} value={value} onChange={setValue} asJson={asJson} />
        {lacks.length > 0 && (
          <Text size="sm" role="alert" c="var(--mantine-color-error)">
            {texts.form.lacks(lacks)}
          </Text>
        )}
        <Group>
          {actions(submit)}
          {!plain && (
            <Button size="compact-sm" variant="subtle" aria-pressed={asJson} onClick={() => setAsJson(!asJson)}>
              {asJson ? texts.form.asFields : texts.form.asJson}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
