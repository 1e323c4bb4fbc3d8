import { Anchor, Button, Card, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api, unwrap, type Schemas } from '../api/client';
import { asked } from '../lib/question';
import { fields, initial, isRequired, member, object, withMember } from '../lib/schema';
import { useMay } from '../lib/server';
import { when } from '../lib/time';
import { texts } from '../texts';
import { AnswerForm, type Answering, type Submit } from './AnswerForm';
import { CallDecision } from './CallDecision';
import { Facts } from './Facts';
import { Failure } from './Failure';
import { Owner } from './Owner';

const words = texts.question;

/** Whether *Approve* and *Reject* say what a field `approved` would. */
function approves(schema: unknown): boolean {
  return member(member(member(schema, 'properties'), 'approved'), 'type') === 'boolean';
}

/** The schema without what the buttons say. */
function withoutApproved(schema: unknown): unknown {
  const own = object(schema);
  const required = Array.isArray(own.required) ? own.required.filter((it) => it !== 'approved') : [];
  return { ...own, required, properties: withMember(own.properties, 'approved', undefined) };
}

/** What a form takes for an answer: where nothing is asked for, people write words. */
function shape(schema: unknown): unknown {
  return Object.keys(object(schema)).length === 0 ? { type: 'string' } : schema;
}

function Plain({ schema, answer }: { schema: unknown; answer: Answering }) {
  const whole = shape(schema);
  const send = (value: unknown) => answer.mutate(value);
  return (
    <AnswerForm
      schema={whole}
      value={initial(whole)}
      label={words.answer}
      onEnter={send}
      actions={() => (
        <Button type="submit" loading={answer.isPending}>
          {words.answer}
        </Button>
      )}
    />
  );
}

function Approval({ schema, answer }: { schema: unknown; answer: Answering }) {
  const rest = withoutApproved(schema);
  const button = (approved: boolean, submit: Submit) => (
    <Button
      type="button"
      variant={approved ? 'filled' : 'light'}
      color={approved ? undefined : 'red'}
      loading={answer.isPending}
      onClick={() => submit((value) => answer.mutate(withMember(value, 'approved', approved)))}
    >
      {approved ? words.approve : words.reject}
    </Button>
  );
  return (
    <AnswerForm
      schema={rest}
      value={initial(rest)}
      label={words.answer}
      actions={(submit) => (
        <>
          {button(true, submit)}
          {button(false, submit)}
          {/* An answer may leave open what need not be said. */}
          {!isRequired(object(schema), 'approved') && (
            <Button type="button" variant="default" loading={answer.isPending} onClick={() => submit((value) => answer.mutate(value))}>
              {words.neither}
            </Button>
          )}
        </>
      )}
    />
  );
}

function Deadline({ interrupt }: { interrupt: Schemas['Interrupt'] }) {
  if (!interrupt.expires_at) return null;
  const { on_expiry: then, default_answer: value } = interrupt;
  return <Text size="sm">{words.until(when(interrupt.expires_at), then === 'answer' ? words.byDefault(defaultWords(value)) : words.failsThen)}</Text>;
}

/** A default answer in a few words. */
function defaultWords(value: unknown): string {
  const decision = member(value, 'decision') ?? (approvedWords(value) || undefined);
  const text = typeof decision === 'string' ? decision : (JSON.stringify(value) ?? 'null');
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function approvedWords(value: unknown): string {
  const approved = member(value, 'approved');
  return typeof approved === 'boolean' ? (approved ? words.approve : words.reject).toLowerCase() : '';
}

/** An open question of a run, in the words of whoever asks it, and answered in place. */
export function Question({ interrupt }: { interrupt: Schemas['Interrupt'] }) {
  const queries = useQueryClient();
  const may = useMay('answer');
  const answer: Answering = useMutation({
    mutationFn: (given: unknown) =>
      unwrap<unknown>(api.POST('/v1/interrupts/{id}/answer', { params: { path: { id: interrupt.id } }, body: { value: given ?? null } })),
    onSettled: () => queries.invalidateQueries(),
  });
  const { title = words.untitled(interrupt.node), text, facts, call } = asked(interrupt);
  const { schema } = interrupt;
  return (
    <Card withBorder component="article" aria-label={title}>
      <Stack gap="sm">
        <Title order={3} size="h5" className="whole">
          {title}
        </Title>
        {text && <Text className="written">{text}</Text>}
        <Facts facts={facts} label={words.asks} />
        {!may && (
          <Text size="sm" c="dimmed">
            {texts.access.mayNotAnswer}
          </Text>
        )}
        {call && <CallDecision call={call} answer={answer} may={may} />}
        {!call && may && (approves(schema) && fields(schema) ? <Approval schema={schema} answer={answer} /> : <Plain schema={schema} answer={answer} />)}
        {answer.error && <Failure error={answer.error} />}
        <Deadline interrupt={interrupt} />
        <Owner interrupt={interrupt} may={may} />
        <Text size="sm" c="dimmed">
          {words.from(interrupt.graph, interrupt.node, when(interrupt.created_at))}
          <Anchor component={Link} to={`/runs/${encodeURIComponent(interrupt.run_id)}`} size="sm">
            {words.run(interrupt.run_id)}
          </Anchor>
        </Text>
      </Stack>
    </Card>
  );
}
