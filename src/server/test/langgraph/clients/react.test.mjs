// React's useStream without a browser: what the hook shows while a server answers.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Window } from 'happy-dom';
import { eventually, held, release, url, versions, word } from './common.mjs';

const page = new Window({ url: 'http://localhost/' });
for (const [name, value] of Object.entries({ window: page, document: page.document, navigator: page.navigator })) {
  Object.defineProperty(globalThis, name, { value, configurable: true });
}
const { createElement } = await import('react');
const { createRoot } = await import('react-dom/client');
after(() => page.happyDOM.close());

for (const version of versions) {
  const { useStream } = await import(`${version}/react`);

  /** A component with the hook in it; `seen` is what the hook gave last, `texts` all that was ever shown. */
  const mount = (options) => {
    const view = { texts: new Set(), errors: [], thread: options.threadId };
    const Chat = () => {
      const stream = useStream({
        apiUrl: url,
        assistantId: 'agent',
        messagesKey: 'messages',
        fetchStateHistory: true,
        throttle: false,
        onThreadId: (id) => (view.thread = id),
        onError: (error) => view.errors.push(error),
        ...options,
      });
      view.seen = stream;
      view.messages = stream.messages;
      stream.messages.forEach((it) => view.texts.add(`${it.type}: ${it.content}`));
      // what is shown of a message is asked for while rendering, as chats do
      view.metadata = stream.messages.map((message, index) => stream.getMessagesMetadata(message, index));
      return null;
    };
    const root = createRoot(page.document.createElement('div'));
    root.render(createElement(Chat));
    view.unmount = () => root.unmount();
    view.content = () => view.messages.map((it) => it.content);
    view.says = (text) => view.seen.submit({ messages: [{ type: 'human', content: text }] });
    view.idle = () => eventually('the hook to be idle', () => view.seen && !view.seen.isLoading && !view.seen.isThreadLoading);
    return view;
  };

  describe(`useStream of ${version}`, { concurrency: true, timeout: 240_000 }, () => {
    it('shows an answer while it is made', async () => {
      const chat = mount({});
      await chat.idle();
      const key = word();
      const answered = chat.says(`hold ${key}`);
      await eventually('the beginning', () => chat.texts.has(`ai: Before ${key}`));
      assert.equal(chat.seen.isLoading, true);
      await release(key);
      await answered;
      await chat.idle();
      assert.deepEqual(chat.content(), [`hold ${key}`, `Before ${key} and after ${key}.`]);
      assert.deepEqual(chat.errors, []);
      chat.unmount();
    });

    it('shows a question, and takes its answer', async () => {
      const chat = mount({});
      await chat.idle();
      await chat.says('mail to Bob');
      await chat.idle();
      assert.deepEqual(chat.seen.interrupt.value.action_request, { action: 'send_mail', args: { to: 'Bob', text: 'Hello' } });
      const question = chat.seen.interrupt.id;
      // who opens the thread later sees it too
      const other = mount({ threadId: chat.thread });
      await eventually('the question', () => other.seen?.interrupt?.id === question);
      other.unmount();
      await chat.seen.submit({}, { command: { resume: [{ type: 'accept', args: null }] } });
      await chat.idle();
      assert.deepEqual(chat.content().slice(2), ['sent to Bob', 'The tools say: sent to Bob'], JSON.stringify([chat.messages, chat.seen.error, chat.errors.map(String)]));
      assert.equal(chat.seen.interrupt, undefined);
      chat.unmount();
    });

    it('edits a message, and switches between the branches', async () => {
      const chat = mount({});
      await chat.idle();
      await chat.says('first');
      await chat.idle();
      await chat.says('second');
      await chat.idle();
      const { firstSeenState } = chat.seen.getMessagesMetadata(chat.messages[2], 2);
      await chat.seen.submit({ messages: [{ type: 'human', content: 'changed' }] }, { checkpoint: firstSeenState.parent_checkpoint });
      await chat.idle();
      assert.deepEqual(chat.content(), ['first', 'You said: first', 'changed', 'You said: changed']);
      const { branch, branchOptions } = chat.seen.getMessagesMetadata(chat.messages[2], 2);
      assert.equal(branchOptions.length, 2);
      assert.equal(branchOptions.indexOf(branch), 1);
      chat.seen.setBranch(branchOptions[0]);
      await eventually('the other branch', () => chat.content()[3] === 'You said: second');
      chat.seen.setBranch(branchOptions[1]);
      await eventually('the new branch', () => chat.content()[3] === 'You said: changed');
      chat.unmount();
    });

    it('makes an answer anew', async () => {
      const chat = mount({});
      const key = word();
      await chat.idle();
      await chat.says(`again ${key}`);
      await chat.idle();
      const { firstSeenState } = chat.seen.getMessagesMetadata(chat.messages[1], 1);
      await chat.seen.submit(undefined, { checkpoint: firstSeenState.parent_checkpoint });
      await chat.idle();
      assert.deepEqual(chat.content(), [`again ${key}`, 'Answer 2']);
      assert.equal(chat.seen.getMessagesMetadata(chat.messages[1], 1).branchOptions.length, 2);
      chat.unmount();
    });

    it('goes on where it was after a reload', async () => {
      const kept = new Map();
      const storage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) };
      const key = word();
      const chat = mount({ reconnectOnMount: () => storage });
      await chat.idle();
      const answered = chat.says(`hold ${key}`);
      await held(key);
      await eventually('the beginning', () => chat.texts.has(`ai: Before ${key}`));
      chat.unmount();

      const again = mount({ threadId: chat.thread, reconnectOnMount: () => storage });
      await eventually('the beginning, after the reload', () => again.texts.has(`ai: Before ${key}`));
      await release(key);
      await eventually('the end', () => again.content()[1] === `Before ${key} and after ${key}.`);
      await again.idle();
      assert.deepEqual(again.content(), [`hold ${key}`, `Before ${key} and after ${key}.`]);
      await answered;
      again.unmount();
    });

    it('stops', async () => {
      const key = word();
      const chat = mount({});
      await chat.idle();
      const answered = chat.says(`hold ${key}`);
      await held(key);
      await eventually('the beginning', () => chat.texts.has(`ai: Before ${key}`));
      await chat.seen.stop();
      await answered;
      await chat.idle();
      await eventually('the end of the run', async () => (await chat.seen.client.threads.get(chat.thread)).status !== 'busy');
      await release(key);
      await chat.says('next');
      await chat.idle();
      assert.equal(chat.content().at(-1), 'You said: next');
      chat.unmount();
    });

    it('shows what went wrong', async () => {
      const chat = mount({});
      await chat.idle();
      await chat.says('fail');
      await chat.idle();
      assert.match(String(chat.seen.error.message ?? chat.seen.error), /refuses/);
      chat.unmount();
    });
  });
}
