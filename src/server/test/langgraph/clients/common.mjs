// What the tests of all clients share.
import assert from 'node:assert/strict';

export const url = process.env.LANGGRAPH_URL;
export const reference = process.env.LANGGRAPH_SERVER === 'reference';
const model = process.env.MODEL_URL;

/** The versions of the SDK that are installed side by side. */
export const versions = process.env.SDK ? [process.env.SDK] : ['sdk-1', 'sdk-2'];

let count = 0;
/** A word that no other test uses. */
export const word = () => `w${process.pid}x${++count}`;

/** Resolves when the model has stopped in the middle of `times` answers with this word. */
export const held = (key, times = 1) => fetch(`${model}/gates/${key}/held?times=${times}`, { signal: AbortSignal.timeout(60_000) });

/** Lets answers with this word go on, now and later. */
export const release = (key) => fetch(`${model}/gates/${key}/open`, { method: 'POST' });

export const human = (content, id) => ({ messages: [{ type: 'human', content, ...(id && { id }) }] });

export async function collect(stream) {
  const events = [];
  for await (const event of stream) events.push(event);
  return events;
}

export const named = (events, name) => events.filter((it) => it.event === name).map((it) => it.data);

/** What a client makes of the pieces of messages: they are put together by id. */
export function joined(events) {
  const messages = new Map();
  for (const [piece] of named(events, 'messages')) {
    const before = messages.get(piece.id);
    messages.set(piece.id, before && /^(ai|AIMessageChunk)$/.test(piece.type) ? before + piece.content : piece.content);
  }
  return messages;
}

export const texts = (values) => values.messages.map((it) => it.content);
export const types = (values) => values.messages.map((it) => it.type);

/** The condition holds within a minute; it is asked for again and again. */
export async function eventually(what, condition) {
  const until = Date.now() + 60_000;
  for (;;) {
    const value = await condition();
    if (value) return value;
    assert.ok(Date.now() < until, `${what} does not come true`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** The call is refused with one of these statuses. */
export async function refused(call, ...statuses) {
  await assert.rejects(call, (error) => {
    const status = error.status ?? Number(/\b(4\d\d)\b/.exec(error.message)?.[1]);
    assert.ok(statuses.includes(status), `${status} is none of ${statuses}: ${error.message}`);
    return true;
  });
}
