import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent as fire } from '@testing-library/dom';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { beforeAll, expect, it, vi } from 'vitest';
import type { Schemas } from '../api/client';
import { Random, randomSchema, randomValue } from '../lib/random.testing';
import { begun, choices, depthMax, fields, initial, isRequired, items, member, object, type Schema } from '../lib/schema';
import { Question } from './Question';

const seed = Number(process.env.SEED ?? 20_261_126);
// ROUNDS=1000 takes two minutes.
const rounds = Number(process.env.ROUNDS ?? 200);
// React in development takes ten times as long.
vi.hoisted(() => void (process.env.NODE_ENV = 'production'));

/** What reaches the service: the client takes the browser's `fetch` as it finds it. */
const wire = vi.hoisted(() => {
  const seen: { sent: unknown } = { sent: undefined };
  globalThis.fetch = async (input) => {
    const request = input as Request;
    if (request.method === 'POST') seen.sent = ((await request.json()) as { value: unknown }).value;
    return new Response(JSON.stringify(request.url.endsWith('/v1/server') ? { scopes: ['read', 'answer'] } : {}), { headers: { 'Content-Type': 'application/json' } });
  };
  return seen;
});

beforeAll(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  // What fields that grow look at, and the DOM of these tests lacks.
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
});

function interrupt(schema: unknown, payload: unknown): Schemas['Interrupt'] {
  return { id: 'i', run_id: 'r', graph: 'g', node: 'ask', superstep: 1, path: [], reason: 'human_input', payload, schema, status: 'open', created_at: '2026-01-01T00:00:00Z' } as Schemas['Interrupt'];
}

/** An event as the browser sends it, and what the page makes of it at once. */
function fireEvent(type: 'click' | 'change' | 'submit', target: Element, value?: string): void {
  flushSync(() => void (type === 'change' ? fire.change(target, { target: { value } }) : fire[type](target)));
}

async function shown(schema: unknown, payload: unknown, then: (page: HTMLElement) => Promise<void>): Promise<void> {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  queries.setQueryData(['server', null], { scopes: ['read', 'answer'] });
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  flushSync(() =>
    root.render(
      <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
        <QueryClientProvider client={queries}>
          <MemoryRouter>
            <Question interrupt={interrupt(schema, payload)} />
          </MemoryRouter>
        </QueryClientProvider>
      </MantineProvider>,
    ),
  );
  await then(page);
  root.unmount();
  page.remove();
  queries.clear();
}

/** Until the page has taken in what was answered. */
const turn = () => new Promise<void>((done) => setTimeout(done, 0));

/** The buttons that people see, by their words. */
function button(page: HTMLElement, words: string): HTMLButtonElement {
  const found = [...page.querySelectorAll('button')].filter((it) => it.textContent === words && !it.name);
  if (found.length !== 1) throw new Error(`${found.length} buttons '${words}' in ${page.textContent}`);
  return found[0]!;
}

function press(page: HTMLElement, words: string): void {
  const pressed = button(page, words);
  if (pressed.type === 'submit') fireEvent('submit', pressed.form!);
  else fireEvent('click', pressed);
}

async function sending(page: HTMLElement, words: string): Promise<unknown> {
  wire.sent = undefined;
  // What was sent before is answered by now.
  for (let i = 0; i < 50 && button(page, words).disabled; i++) await turn();
  press(page, words);
  for (let i = 0; i < 50 && wire.sent === undefined; i++) await turn();
  expect(wire.sent, page.querySelector('[role=alert]')?.textContent ?? 'nothing was sent').toBeDefined();
  return wire.sent;
}

function control<T extends HTMLElement>(page: HTMLElement, path: string, value?: string): T {
  const found = [...page.querySelectorAll<T>('[name]')].find((it) => it.getAttribute('name') === path && (value === undefined ? it.tagName !== 'BUTTON' : it.getAttribute('value') === value));
  expect(found, `a control '${path}' ${value ?? ''}`).toBeDefined();
  return found!;
}

const write = (page: HTMLElement, path: string, value: string) => fireEvent('change', control(page, path), value);
const step = (path: string, name: string | number) => `${path}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Whether fields can say a value: what they cannot is written as JSON. */
function hasFields(schema: Schema, value: unknown, required: boolean, depth: number): boolean {
  if (value === undefined || choices(schema)) return true;
  if (depth < depthMax && fields(schema)) {
    const known = fields(schema)!.map(([name]) => name);
    return Object.keys(object(value)).every((name) => known.includes(name)) && fields(schema)!.every(([name, field]) => hasFields(field, member(value, name), isRequired(schema, name), depth + 1));
  }
  if (depth < depthMax && items(schema)) return (value as unknown[]).every((item) => hasFields(items(schema)!, item, true, depth + 1));
  if (schema.type === 'string') {
    if (typeof value !== 'string') return false;
    // An empty text that is optional is left out; a field of one line has no lines, and fields know one kind of line's end.
    const oneLine = typeof schema.maxLength === 'number' && schema.maxLength <= 80;
    return (required || value !== '') && !value.includes('\r') && !(oneLine && value.includes('\n'));
  }
  return schema.type !== 'boolean' || typeof value === 'boolean';
}

/** Fills in what people would to say `value`, where the form says `now`. */
function fill(page: HTMLElement, schema: Schema, value: unknown, now: unknown, required: boolean, depth: number, path: string): void {
  const same = JSON.stringify(value) === JSON.stringify(now);
  if (choices(schema)) {
    if (!same) write(page, path, value === undefined ? '' : JSON.stringify(value));
  } else if (depth < depthMax && fields(schema)) {
    if (value === undefined && now !== undefined) return void fireEvent('click', control(page, path, 'omit'));
    if (value === undefined) return;
    if (now === undefined && !required) fireEvent('click', control(page, path, 'add'));
    const begins = now ?? begun(schema);
    for (const [name, field] of fields(schema)!) fill(page, field, member(value, name), member(begins, name), isRequired(schema, name), depth + 1, step(path, name));
  } else if (depth < depthMax && items(schema)) {
    if (value === undefined && now !== undefined) return void fireEvent('click', control(page, path, 'omit'));
    if (value === undefined) return;
    ((now as unknown[] | undefined) ?? []).forEach(() => fireEvent('click', control(page, step(path, 0), 'remove')));
    const [list, each] = [value as unknown[], items(schema)!];
    if (list.length === 0 && now === undefined) {
      fireEvent('click', control(page, path, 'add'));
      fireEvent('click', control(page, step(path, 0), 'remove'));
    }
    list.forEach((item, index) => {
      fireEvent('click', control(page, path, 'add'));
      fill(page, each, item, begun(each), true, depth + 1, step(path, index));
    });
  } else if (schema.type === 'boolean') {
    if (same) return;
    if (required) fireEvent('click', control(page, path));
    else write(page, path, value === undefined ? '' : String(value));
  } else if (schema.type === 'string' && (typeof value === 'string' || value === undefined)) {
    if (same) return;
    if (!value) write(page, path, 'typed, and deleted');
    write(page, path, (value as string | undefined) ?? '');
  } else if (!same) {
    write(page, path, value === undefined ? '' : JSON.stringify(value));
  }
}

let inFields = 0;
let all = 0;

/** Writes a value into the form that is open, which shows `now`. */
function answer(page: HTMLElement, schema: Schema, value: unknown, now: unknown): void {
  all++;
  if (hasFields(schema, value, true, 0) && hasFields(schema, now, false, 0)) {
    inFields++;
    fill(page, schema, value, now, true, 0, '');
  } else {
    press(page, 'As JSON');
    write(page, '', JSON.stringify(value));
  }
}

/** The schema of answers about a call, as the service makes it. */
function decisionSchema(args: Schema, decisions: string[]): Schema {
  return {
    type: 'object',
    required: ['decision'],
    additionalProperties: false,
    properties: { decision: { enum: decisions }, reason: { type: 'string' }, message: { type: 'string' }, arguments: args },
    allOf: [
      { if: { properties: { decision: { const: 'edit' } } }, then: { required: ['arguments'] } },
      { if: { properties: { decision: { const: 'reply' } } }, then: { required: ['message'] } },
    ],
  };
}

const long = { timeout: 900_000 };

it(`sends every valid answer about the call of a tool, for ${rounds} random schemas and each decision (seed ${seed})`, long, async () => {
  const random = new Random(seed);
  for (let round = 0; round < rounds; round++) {
    const args = randomSchema(random);
    const called = randomValue(random, args);
    const repeated = random.chance(0.3);
    const payload = { title: 'May it?', text: 'May it?', question: 'May it?', tool_call: { id: 'c', name: 'pay', arguments: called }, description: 'Pays.' };
    const decisions = [...(repeated ? ['use_result'] : []), 'approve', 'edit', 'reject', 'reply'];
    const at = `round ${round} of seed ${seed}: ${JSON.stringify(args)}`;

    await shown(decisionSchema(args, decisions), payload, async (page) => {
      if (repeated) expect(await sending(page, 'Use that result'), at).toEqual({ decision: 'use_result' });
      expect(await sending(page, 'Approve'), at).toEqual({ decision: 'approve' });

      press(page, 'Change');
      const changed = randomValue(random, args);
      answer(page, args, changed, called);
      expect(await sending(page, 'Approve with these'), `${at} ${JSON.stringify(called)}`).toEqual({ decision: 'edit', arguments: changed });
      press(page, 'Back');

      press(page, 'Reject');
      const reason = random.one(['', 'Too much.', '{"a": 1}']);
      if (reason) write(page, '', reason);
      expect(await sending(page, 'Reject'), at).toEqual(reason ? { decision: 'reject', reason } : { decision: 'reject' });
      press(page, 'Back');

      press(page, 'Answer instead');
      write(page, '', 'By hand.');
      expect(await sending(page, 'Send'), at).toEqual({ decision: 'reply', message: 'By hand.' });
      press(page, 'Back');

      press(page, 'As JSON');
      const whole = random.one<unknown>([{ decision: 'approve', arguments: called, reason: '' }, { decision: 'reply', message: '' }, { decision: 'reject', reason: 'a\r\nb' }]);
      write(page, '', JSON.stringify(whole));
      expect(await sending(page, 'Send'), at).toEqual(whole);
    });
  }
});

it(`sends every valid answer to a question, for ${rounds / 2} random schemas (seed ${seed})`, long, async () => {
  const random = new Random(seed + 1);
  for (let round = 0; round < rounds / 2; round++) {
    const schema = random.chance(0.7) ? randomSchema(random) : randomSchema(random, 1);
    const value = randomValue(random, schema);
    const shape: Schema = Object.keys(schema).length === 0 ? { type: 'string' } : schema;
    await shown(schema, 'Which?', async (page) => {
      answer(page, shape, value, initial(shape));
      expect(await sending(page, 'Answer'), `round ${round} of seed ${seed}: ${JSON.stringify(schema)}`).toEqual(value);
    });
  }
  // JSON is for what fields cannot say, not for all.
  expect(inFields / all).toBeGreaterThan(0.6);
});
