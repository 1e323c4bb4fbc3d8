// The chat level by the SDK: what a chat front end needs of a server.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collect, eventually, held, human, joined, named, reference, refused, release, texts, types, url, versions, word } from './common.mjs';

const STREAM = { streamMode: ['values', 'messages-tuple', 'updates'], streamResumable: true, onDisconnect: 'continue' };

for (const version of versions) {
  const { Client } = await import(version);
  const client = new Client({ apiUrl: url });
  const say = (thread, text, more = {}) => collect(client.runs.stream(thread.thread_id, 'agent', { input: human(text), ...STREAM, ...more }));

  describe(`chat by ${version}`, { concurrency: true, timeout: 240_000 }, () => {
    it('streams an answer in pieces that belong to the stored message', async () => {
      const thread = await client.threads.create();
      assert.equal(thread.status, 'idle');
      let created;
      const events = await say(thread, 'good morning to you', { onRunCreated: (run) => (created = run) });

      assert.equal(events[0].event, 'metadata');
      assert.equal(events[0].data.run_id, created.run_id);
      assert.equal(created.thread_id, thread.thread_id);
      const last = named(events, 'values').at(-1);
      assert.deepEqual(types(last), ['human', 'ai']);
      assert.deepEqual(texts(last), ['good morning to you', 'You said: good morning to you']);
      const pieces = named(events, 'messages').filter(([piece]) => piece.content !== '');
      assert.ok(pieces.length >= 1);
      assert.equal(joined(events).get(last.messages[1].id), 'You said: good morning to you');
      assert.ok(pieces.every(([, metadata]) => metadata.langgraph_node === 'model' && metadata.thread_id === thread.thread_id));
      const [update] = named(events, 'updates');
      assert.equal(update.model.messages.at ? update.model.messages[0].content : update.model.messages.content, 'You said: good morning to you');
      const { usage_metadata: usage, response_metadata: response } = last.messages[1];
      assert.deepEqual([usage.input_tokens, usage.output_tokens, usage.total_tokens], [11, 7, 18]);
      assert.equal(response.finish_reason ?? 'stop', 'stop');

      const after = await client.threads.get(thread.thread_id);
      assert.equal(after.status, 'idle');
      assert.equal(after.metadata.graph_id, 'agent');
      assert.deepEqual(texts(after.values), texts(last));
      const run = await client.runs.get(thread.thread_id, created.run_id);
      assert.equal(run.status, 'success');
    });

    it('goes on with a thread, and keeps ids that the client gives', async () => {
      const thread = await client.threads.create();
      const id = crypto.randomUUID();
      await collect(client.runs.stream(thread.thread_id, 'agent', { input: human('one', id), ...STREAM }));
      const last = named(await say(thread, 'two'), 'values').at(-1);
      assert.deepEqual(texts(last), ['one', 'You said: one', 'two', 'You said: two']);
      assert.equal(last.messages[0].id, id);
      assert.equal(new Set(last.messages.map((it) => it.id)).size, 4);
    });

    it('shows a call of a tool and its result', async () => {
      const thread = await client.threads.create();
      const events = await say(thread, 'weather in Rome');
      const last = named(events, 'values').at(-1);
      assert.deepEqual(types(last), ['human', 'ai', 'tool', 'ai']);
      const [, asks, result, says] = last.messages;
      assert.deepEqual(asks.tool_calls.map(({ name, args, type }) => ({ name, args, type })), [{ name: 'weather', args: { city: 'Rome' }, type: 'tool_call' }]);
      assert.equal(result.tool_call_id, asks.tool_calls[0].id);
      assert.equal(result.name, 'weather');
      assert.equal(result.content, 'sunny in Rome');
      assert.equal(says.content, 'The tools say: sunny in Rome');
      const seen = named(events, 'messages').map(([message]) => message);
      assert.ok(seen.some((it) => it.id === asks.id && (it.tool_calls?.length || it.tool_call_chunks?.length)), 'the call in the stream of messages');
      assert.ok(seen.some((it) => it.type === 'tool' && it.id === result.id), 'the result in the stream of messages');
      assert.deepEqual(named(events, 'updates').map((it) => Object.keys(it)[0]), ['model', 'tools', 'model']);
    });

    for (const answer of ['accept', 'ignore']) {
      it(`asks, and goes on with the answer ${answer}`, async () => {
        const thread = await client.threads.create();
        const id = thread.thread_id;
        const events = await say(thread, 'mail to Bob');
        const question = named(events, 'values').concat(named(events, 'updates')).find((it) => it.__interrupt__);
        assert.equal(question.__interrupt__.length, 1);
        const [{ id: interrupt, value }] = question.__interrupt__;
        assert.deepEqual(value.action_request, { action: 'send_mail', args: { to: 'Bob', text: 'Hello' } });
        const first = events[0].data.run_id;
        assert.equal((await client.runs.get(id, first)).status, 'success');
        const waiting = await client.threads.get(id);
        assert.equal(waiting.status, 'interrupted');
        assert.deepEqual(Object.values(waiting.interrupts).flat().map((it) => it.id), [interrupt]);
        const state = await client.threads.getState(id);
        assert.deepEqual(state.next, ['approve']);
        assert.deepEqual(state.tasks.map((it) => [it.name, it.interrupts[0].id, it.interrupts[0].value.description]), [['approve', interrupt, 'May this mail be sent?']]);

        const after = await collect(client.runs.stream(id, 'agent', { input: {}, command: { resume: [{ type: answer, args: null }] }, ...STREAM }));
        const second = after[0].data.run_id;
        assert.notEqual(second, first);
        const last = named(after, 'values').at(-1);
        assert.deepEqual(types(last), ['human', 'ai', 'tool', 'ai']);
        assert.equal(last.messages[2].content, answer === 'accept' ? 'sent to Bob' : 'refused');
        assert.equal(last.decision, answer);
        assert.equal((await client.threads.get(id)).status, 'idle');
        const runs = await client.runs.list(id);
        assert.deepEqual(new Set(runs.map((it) => it.run_id)), new Set([first, second]));
        assert.ok(runs.every((it) => it.status === 'success'));
      });
    }

    it('waits for an end and for a question', async () => {
      const thread = await client.threads.create();
      const values = await client.runs.wait(thread.thread_id, 'agent', { input: human('hello') });
      assert.deepEqual(texts(values), ['hello', 'You said: hello']);
      const asked = await client.runs.wait(thread.thread_id, 'agent', { input: human('mail to Eve') });
      assert.equal(asked.__interrupt__[0].value.action_request.args.to, 'Eve');
      const done = await client.runs.wait(thread.thread_id, 'agent', { command: { resume: [{ type: 'accept' }] } });
      assert.equal(done.messages.at(-1).content, 'The tools say: sent to Eve');
    });

    it('drops an open question when something else is said', async () => {
      const thread = await client.threads.create();
      await say(thread, 'mail to Ann');
      const last = named(await say(thread, 'never mind'), 'values').at(-1);
      assert.equal(last.messages.at(-1).content, 'You said: never mind');
      const state = await client.threads.getState(thread.thread_id);
      assert.deepEqual([state.next, state.tasks], [[], []]);
    });

    it('closes a question for good with goto __end__ alone', async () => {
      const thread = await client.threads.create();
      await say(thread, 'mail to Tom');
      await collect(client.runs.stream(thread.thread_id, 'agent', { input: {}, command: { goto: '__end__' }, ...STREAM }));
      const state = await client.threads.getState(thread.thread_id);
      // The dev server asks again, although the chat's "Mark as Resolved" means the question to be gone.
      if (!reference) assert.deepEqual([state.next, state.tasks], [[], []]);
      assert.deepEqual(types(state.values), ['human', 'ai']);
    });

    it('edits a message: a branch from the checkpoint before it', async () => {
      const thread = await client.threads.create();
      const id = thread.thread_id;
      await say(thread, 'first');
      await say(thread, 'second');
      const history = await client.threads.getHistory(id, { limit: 20 });
      const chain = history.map((it) => it.checkpoint.checkpoint_id);
      assert.deepEqual(chain, [...chain].sort().reverse(), 'newest first, ids that ascend as text');
      history.slice(0, -1).forEach((it, i) => assert.equal(it.parent_checkpoint.checkpoint_id, chain[i + 1]));
      assert.equal(history.at(-1).parent_checkpoint ?? null, null);
      const seen = history.findLast((it) => texts({ messages: it.values.messages ?? [] }).includes('second'));
      const before = seen.parent_checkpoint;
      assert.ok(before);

      const events = await say(thread, 'changed', { checkpoint: before });
      assert.deepEqual(texts(named(events, 'values').at(-1)), ['first', 'You said: first', 'changed', 'You said: changed']);
      const head = await client.threads.getState(id);
      assert.deepEqual(texts(head.values), ['first', 'You said: first', 'changed', 'You said: changed']);
      const after = await client.threads.getHistory(id, { limit: 40 });
      const children = after.filter((it) => it.parent_checkpoint?.checkpoint_id === before.checkpoint_id);
      assert.equal(children.length, 2, 'two branches of one parent');
      assert.ok(after[0].checkpoint.checkpoint_id > chain[0]);
      assert.ok(chain.every((it) => after.some((state) => state.checkpoint.checkpoint_id === it)), 'the old branch stays');
      const old = await client.threads.getState(id, chain[0]);
      assert.deepEqual(texts(old.values).slice(2), ['second', 'You said: second']);
      // On the dev server later runs begin at the checkpoint of the fork again.
      if (reference) return;
      await say(thread, 'third');
      assert.deepEqual(texts((await client.threads.getState(id)).values).slice(2), ['changed', 'You said: changed', 'third', 'You said: third']);
    });

    it('makes an answer anew from the checkpoint before it', async () => {
      const thread = await client.threads.create();
      const key = word();
      await say(thread, `again ${key}`);
      const history = await client.threads.getHistory(thread.thread_id);
      const seen = history.findLast((it) => (it.values.messages ?? []).some((message) => message.content === 'Answer 1'));
      const events = await collect(client.runs.stream(thread.thread_id, 'agent', { input: undefined, checkpoint: seen.parent_checkpoint, ...STREAM }));
      assert.deepEqual(texts(named(events, 'values').at(-1)), [`again ${key}`, 'Answer 2']);
      assert.deepEqual(texts((await client.threads.getState(thread.thread_id)).values), [`again ${key}`, 'Answer 2']);
    });

    it('shows all of a run to who comes in the middle, and nothing twice', async () => {
      const thread = await client.threads.create();
      const id = thread.thread_id;
      const key = word();
      const abort = new AbortController();
      let run;
      const first = [];
      try {
        for await (const event of client.runs.stream(id, 'agent', { input: human(`hold ${key}`), ...STREAM, signal: abort.signal, onRunCreated: (it) => (run = it.run_id) })) {
          first.push(event);
          if (event.event === 'messages' && event.data[0].content.includes(key)) abort.abort();
        }
      } catch (error) {
        assert.ok(abort.signal.aborted, error);
      }
      await held(key);
      assert.equal((await client.threads.get(id)).status, 'busy');
      assert.equal((await client.runs.get(id, run)).status, 'running');

      const all = [];
      for await (const event of client.runs.joinStream(id, run, { lastEventId: '-1', streamMode: STREAM.streamMode })) {
        all.push(event);
        if (event.event === 'messages' && event.data[0].content.includes(key)) await release(key);
      }
      assert.equal(all[0].event, 'metadata');
      const last = named(all, 'values').at(-1);
      assert.equal(last.messages[1].content, `Before ${key} and after ${key}.`);
      assert.equal(joined(all).get(last.messages[1].id), last.messages[1].content);
      // Pieces between stored events have no ids of their own; the SDK then repeats the last one.
      // A comment is shown as an event without a name.
      const ids = all.filter((it) => it.event && it.event !== 'messages').map((it) => it.id).filter((it) => it !== undefined);
      assert.deepEqual(ids, [...new Set(ids)], 'each id once');
      assert.ok(first.every((it) => !it.event || it.event === 'messages' || it.id === undefined || ids.includes(it.id)), 'the ids of both streams are the same');

      // The stream of an ended run replays and closes; behind an id comes what follows it.
      const replay = await collect(client.runs.joinStream(id, run, { lastEventId: '-1', streamMode: STREAM.streamMode }));
      assert.deepEqual(named(replay, 'values').map(texts), named(all, 'values').map(texts));
      const from = replay.findIndex((it) => it.event === 'values');
      const rest = await collect(client.runs.joinStream(id, run, { lastEventId: replay[from].id, streamMode: STREAM.streamMode }));
      const seen = (events) => events.filter((it) => it.event).map((it) => [it.id, it.event]);
      assert.deepEqual(seen(rest), seen(replay.slice(from + 1)));
    });

    it('says that the model failed', async () => {
      const thread = await client.threads.create();
      const events = [];
      for await (const event of client.runs.stream(thread.thread_id, 'agent', { input: human('fail'), ...STREAM })) events.push(event);
      const [error] = named(events, 'error');
      assert.equal(events.at(-1).event, 'error');
      assert.match(error.message, /refuses/);
      assert.ok(error.error);
      assert.equal((await client.runs.get(thread.thread_id, events[0].data.run_id)).status, 'error');
      const after = await client.threads.get(thread.thread_id);
      assert.equal(after.status, 'error');
      const state = await client.threads.getState(thread.thread_id);
      assert.match(String(state.tasks.at(-1).error), /refuses/);
      await assert.rejects(client.runs.wait(thread.thread_id, 'agent', { input: human('fail') }), /refuses/);
      const last = named(await say(thread, 'better?'), 'values').at(-1);
      assert.equal(last.messages.at(-1).content, 'You said: better?');
    });

    it('stops a run', async () => {
      const thread = await client.threads.create();
      const key = word();
      const run = await client.runs.create(thread.thread_id, 'agent', { input: human(`hold ${key}`) });
      assert.ok(['pending', 'running'].includes(run.status));
      await held(key);
      await client.runs.cancel(thread.thread_id, run.run_id, true);
      await release(key);
      assert.equal((await client.runs.get(thread.thread_id, run.run_id)).status, 'interrupted');
      await eventually('the end of the run', async () => (await client.threads.get(thread.thread_id)).status !== 'busy');
      const last = named(await say(thread, 'and now'), 'values').at(-1);
      assert.equal(last.messages.at(-1).content, 'You said: and now');
    });

    it('finds the threads of a graph, newest first, with their values', async () => {
      const group = word();
      const made = [];
      for (const text of ['one', 'two', 'three']) {
        const thread = await client.threads.create({ metadata: { group } });
        await say(thread, text);
        made.unshift(thread.thread_id);
      }
      await client.threads.create({ metadata: { group: 'other' } });
      const found = await client.threads.search({ metadata: { graph_id: 'agent', group }, limit: 100 });
      assert.deepEqual(found.map((it) => it.thread_id), made);
      assert.deepEqual(found.map((it) => it.values.messages[0].content), ['three', 'two', 'one']);
      const page = await client.threads.search({ metadata: { group }, limit: 1, offset: 1 });
      assert.deepEqual(page.map((it) => it.thread_id), [made[1]]);
    });

    it('refuses what does not exist', async () => {
      const nobody = crypto.randomUUID();
      const thread = await client.threads.create();
      await refused(client.threads.get(nobody), 404);
      await refused(client.runs.create(thread.thread_id, 'no-such-graph', { input: {} }), 404);
      await refused(collect(client.runs.stream(nobody, 'agent', { input: human('hi') })), reference ? 422 : 404);
      await refused(client.runs.get(thread.thread_id, nobody), 404);
      await refused(client.threads.create({ threadId: thread.thread_id, ifExists: 'raise' }), 409);
      assert.equal((await client.threads.create({ threadId: thread.thread_id, ifExists: 'do_nothing' })).thread_id, thread.thread_id);
    });

    it('lets pages of other origins call, and read its headers', async () => {
      const origin = 'http://localhost:5173';
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const asked = 'content-type,x-api-key,authorization,last-event-id,prefer';
        const headers = { origin, 'access-control-request-method': method, 'access-control-request-headers': asked };
        const answer = await fetch(`${url}/threads/search`, { method: 'OPTIONS', headers });
        assert.ok(answer.ok, `${method}: ${answer.status}`);
        assert.ok(['*', origin].includes(answer.headers.get('access-control-allow-origin')));
        assert.match(answer.headers.get('access-control-allow-methods') ?? '*', new RegExp(`\\*|${method}`));
        const allowed = (answer.headers.get('access-control-allow-headers') ?? '').toLowerCase();
        for (const header of asked.split(',')) assert.ok(allowed === '*' || allowed.includes(header), `${header} in ${allowed}`);
      }
      const answer = await fetch(`${url}/threads/search`, { method: 'POST', headers: { origin, 'content-type': 'application/json' }, body: '{"limit":1}' });
      const exposed = (answer.headers.get('access-control-expose-headers') ?? '').toLowerCase();
      const wanted = reference ? ['content-location', 'x-pagination-total'] : ['content-location', 'location', 'x-pagination-total', 'x-pagination-next'];
      for (const header of wanted) assert.ok(exposed === '*' || exposed.split(/, */).includes(header), `${header} in ${exposed}`);
    });

    it('says that it is there', async () => {
      const info = await (await fetch(`${url}/info`)).json();
      assert.equal(info.flags.assistants, true);
      assert.deepEqual(await (await fetch(`${url}/ok`)).json(), { ok: true });
    });
  });
}
