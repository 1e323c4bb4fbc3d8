import type { Schemas } from '../api/client';
import { texts } from '../texts';
import { member, object, type Schema } from './schema';

type Interrupt = Pick<Schemas['Interrupt'], 'payload' | 'reason' | 'schema'>;

export type Decision = 'approve' | 'edit' | 'reject' | 'reply' | 'use_result';

/** A call of a tool that somebody has to decide about. */
export interface AskedCall {
  tool: string;
  description?: string;
  arguments: Schema;
  /** What may be answered, in the order of the buttons. */
  decisions: Decision[];
  /** The schema of other arguments. */
  schema: unknown;
}

/** A question in the words of whoever asks it. */
export interface Asked {
  title?: string;
  text?: string;
  /** What else is there to be known, by name. */
  facts: [string, unknown][];
  call?: AskedCall;
}

const titleMax = 120;
const decisions: Decision[] = ['use_result', 'approve', 'edit', 'reject', 'reply'];
/** What is shown in another way, or said already. */
const shown = ['title', 'text', 'question', 'tool_call', 'description', 'made'];

const words = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined);

/** A payload says `title` and `text`, or `question`, or is a text itself; whatever else it has are facts. */
export function asked({ payload, schema }: Interrupt): Asked {
  const text = words(payload);
  if (text) return text.length <= titleMax && !text.includes('\n') ? { title: text, facts: [] } : { text, facts: [] };
  if (payload === null || payload === undefined || typeof payload === 'string') return { facts: [] };
  if (typeof payload !== 'object' || Array.isArray(payload)) return { facts: [['', payload]] };
  const call = askedCall(payload as Schema, schema);
  const [title, more, question] = ['title', 'text', 'question'].map((name) => words(member(payload, name)));
  const head = title ?? question;
  const body = more ?? (title ? question : undefined);
  const hidden = call ? shown : shown.filter((name) => words(member(payload, name)) !== undefined && ['title', 'text', 'question'].includes(name));
  return {
    ...(head && { title: head }),
    ...(body && body !== head && { text: body }),
    facts: Object.entries(object(payload)).filter(([name]) => !hidden.includes(name)),
    ...(call && { call }),
  };
}

function askedCall(payload: Schema, schema: unknown): AskedCall | undefined {
  const call = member(payload, 'tool_call');
  const tool = member(call, 'name');
  const properties = member(schema, 'properties');
  const possible = member(member(properties, 'decision'), 'enum');
  if (typeof tool !== 'string' || !Array.isArray(possible)) return undefined;
  return {
    tool,
    description: words(member(payload, 'description')),
    arguments: object(member(call, 'arguments')),
    decisions: decisions.filter((it) => possible.includes(it)),
    schema: member(properties, 'arguments'),
  };
}

const lineMax = 160;

/** A question in one line. */
export function inOneLine(interrupt: Interrupt): string {
  const { title, text, facts } = asked(interrupt);
  const said = title ?? text ?? (facts.length > 0 ? JSON.stringify(interrupt.payload) : '');
  const line = said.replace(/\s+/g, ' ').trim() || interrupt.reason;
  return line.length > lineMax ? `${line.slice(0, lineMax - 1)}…` : line;
}

/** Whose an open question is, in words; nothing: anybody's. */
export function whose({ assignee, candidates, not }: Pick<Schemas['Interrupt'], 'assignee' | 'candidates' | 'not'>): string | undefined {
  const { owner } = texts;
  const who = assignee ? owner.of(assignee) : candidates && owner.oneOf(candidates.join(', '));
  const kept = not && owner.not(not.map((it) => owner.words[it] ?? it).join(', '));
  return [who, kept].filter(Boolean).join(' · ') || undefined;
}
