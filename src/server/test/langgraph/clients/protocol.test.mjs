// Version 2 of the protocol, as the SDK speaks it: threads that are followed over their runs.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { eventually, held, human, reference, release, url, word } from './common.mjs';

const { Client } = await import('sdk-1');
const client = new Client({ apiUrl: url });
const open = (assistantId, id = randomUUID()) => client.threads.stream(id, { assistantId });

// LangGraph's own server does not show the end of the second run to this reader.
test('two runs of a thread come in one stream', { skip: reference }, async () => {
  const thread = open('agent');
  try {
    const key = word();
    const seen = [];
    thread.onEvent((event) => seen.push(event));
    const ends = (count) => eventually(`the end of run ${count}`, () => seen.filter((it) => it.method === 'lifecycle' && it.params.data.event === 'completed').length === count);
    await thread.run.start({ input: human(`say ${key}`) });
    await ends(1);
    await thread.run.start({ input: human(`again ${key}`) });
    await ends(2);
    assert.equal(new Set(seen.map((it) => it.event_id)).size, seen.length);
    const { values } = await thread.state.get({ namespace: [] });
    assert.equal(values.messages.length, 4);
  } finally {
    await thread.close();
  }
});

test('an answer comes in pieces while its model writes', async () => {
  const thread = open('agent');
  try {
    const key = word();
    const messages = thread.messages[Symbol.asyncIterator]();
    await thread.run.start({ input: human(`hold ${key}`) });
    const { value: message } = await messages.next();
    const pieces = message.text[Symbol.asyncIterator]();
    const first = (await pieces.next()).value;
    await held(key);
    release(key);
    const whole = await message.text;
    assert.ok(whole.startsWith(first), whole);
    const { values } = await eventually('the answer in the state', async () => {
      const state = await thread.state.get({ namespace: [] });
      return state.values.messages?.length === 2 && state;
    });
    const { content } = values.messages[1];
    assert.equal(typeof content === 'string' ? content : content.map((it) => it.text).join(''), whole);
    assert.equal(values.messages[1].id, message.id);
  } finally {
    await thread.close();
  }
});

test('several questions are answered at once', async () => {
  const thread = open('asks');
  try {
    await thread.run.start({ input: {} });
    await eventually('two questions', () => thread.interrupts.length >= 2);
    const asked = thread.interrupts.map((it) => it.interruptId);
    await thread.input.respond({ responses: asked.map((id, i) => ({ namespace: [], interrupt_id: id, response: `answer ${i}` })) });
    await eventually('the third question', () => thread.interrupts.some((it) => !asked.includes(it.interruptId)));
    const third = thread.interrupts.find((it) => !asked.includes(it.interruptId));
    await thread.input.respond({ namespace: [], interrupt_id: third.interruptId, response: 'done' });
    await eventually('the end', async () => (await thread.state.get({ namespace: [] })).values.last === 'done');
  } finally {
    await thread.close();
  }
});

test('a command that is not known is refused', { skip: reference }, async () => {
  const thread = open('asks');
  try {
    await thread.run.start({ input: {} });
    await assert.rejects(thread.state.fork({}), /not_supported|not supported/);
  } finally {
    await thread.close();
  }
});
