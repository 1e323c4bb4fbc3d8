// Version 2 of the protocol, as the SDK speaks it: threads that are followed over their runs.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { eventually, held, human, reference, release, url, word } from './common.mjs';

const { Client } = await import('sdk-1');
const client = new Client({ apiUrl: url });
const open = (assistantId, id = randomUUID()) => client.threads.stream(id, { assistantId });

test('two runs of a thread come in one stream', async () => {
  const thread = open('agent');
  try {
    const key = word();
    release(key);
    await thread.run.start({ input: human(`say ${key}`) });
    const first = await eventually('the end of the first run', async () => {
      const { values } = await thread.state.get({ namespace: [] }).catch(() => ({}));
      return values?.messages?.length === 2 && values;
    });
    assert.equal(first.messages.at(-1).type, 'ai');

    const seen = [];
    thread.onEvent((event) => seen.push(event));
    await thread.run.start({ input: human(`again ${key}`) });
    await eventually('the end of the second run', () => seen.some((it) => it.method === 'lifecycle' && it.params.data.event === 'completed'));
    const { values } = await thread.state.get({ namespace: [] });
    assert.equal(values.messages.length, 4);
    assert.equal((await thread.values).messages.length >= 2, true);
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
    assert.equal(values.messages[1].content, whole);
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
