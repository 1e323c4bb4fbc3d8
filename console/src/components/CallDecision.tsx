import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { AskedCall, Decision } from '../lib/question';
import { isExact } from '../lib/schema';
import { texts } from '../texts';
import { AnswerForm, type Answering } from './AnswerForm';
import { Facts } from './Facts';

const words = texts.call;

/** Decisions that need more than a tap. */
type Open = 'edit' | 'reject' | 'reply' | 'json';

/** What the form of a decision asks for, and what it begins with. */
function form(open: Open, call: AskedCall): { schema: unknown; value: unknown; label: string } {
  switch (open) {
    case 'edit':
      return { schema: call.schema ?? { type: 'object' }, value: call.arguments, label: words.arguments };
    case 'reject':
      return { schema: { type: 'string', description: words.reasonHint }, value: undefined, label: words.reason };
    case 'reply':
      return { schema: { type: 'string', minLength: 1, description: words.messageHint }, value: undefined, label: words.message };
    case 'json':
      return { schema: { description: words.wholeHint }, value: { decision: 'approve' }, label: words.whole };
  }
}

/** The answer that a decision is, with what its form has given. */
function answerOf(open: Open, given: unknown): unknown {
  switch (open) {
    case 'edit':
      return { decision: 'edit', arguments: given ?? {} };
    case 'reject':
      return given === undefined || given === '' ? { decision: 'reject' } : { decision: 'reject', reason: given };
    case 'reply':
      return { decision: 'reply', message: given ?? '' };
    case 'json':
      return given;
  }
}

interface Props {
  call: AskedCall;
  answer: Answering;
  may: boolean;
}

/** What is to be called with what, and the decision: one tap approves, one more rejects or changes. */
export function CallDecision({ call, answer, may }: Props) {
  const [open, setOpen] = useState<Open>();
  const [direct, others] = [call.decisions.filter((it) => it === 'approve' || it === 'use_result'), call.decisions.filter((it): it is Open & Decision => it === 'edit' || it === 'reject' || it === 'reply')];
  const args = Object.entries(call.arguments);
  // Approving sends no arguments; changing sends all of them, as this browser has read them.
  const exact = isExact(call.arguments);
  const shown = open && form(open, call);
  return (
    <Stack gap="sm">
      <div>
        <Text>
          {words.calls}
          <Text span fw={700} className="whole">
            {call.tool}
          </Text>
          {args.length === 0 && words.withNothing}
        </Text>
        {call.description && (
          <Text size="sm" c="dimmed">
            {call.description}
          </Text>
        )}
      </div>
      {open === 'edit' && !exact && <Text size="sm">{words.inexact}</Text>}
      {open !== 'edit' && <Facts facts={args} label={words.arguments} />}
      {may && !open && (
        <>
          <Group>
            {direct.map((decision) => (
              <Button key={decision} loading={answer.isPending} variant={decision === direct[0] ? 'filled' : 'light'} onClick={() => answer.mutate({ decision })}>
                {words.decisions[decision]}
              </Button>
            ))}
            {others.map((decision) => (
              <Button
                key={decision}
                variant={decision === 'reply' ? 'subtle' : 'light'}
                color={decision === 'reject' ? 'red' : undefined}
                onClick={() => setOpen(decision)}
              >
                {words.decisions[decision]}
              </Button>
            ))}
            <Button size="compact-sm" variant="subtle" onClick={() => setOpen('json')}>
              {texts.form.asJson}
            </Button>
          </Group>
        </>
      )}
      {may && open && shown && (
        <AnswerForm
          key={open}
          {...shown}
          onEnter={(given) => answer.mutate(answerOf(open, given))}
          optional={open === 'reject'}
          plain={open !== 'edit'}
          actions={() => (
            <>
              <Button type="submit" loading={answer.isPending} color={open === 'reject' ? 'red' : undefined}>
                {words.sends[open]}
              </Button>
              <Button variant="default" onClick={() => setOpen(undefined)}>
                {words.back}
              </Button>
            </>
          )}
        />
      )}
    </Stack>
  );
}
