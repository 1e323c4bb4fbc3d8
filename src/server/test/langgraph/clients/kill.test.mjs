// kill -9 of the server in the middle of a stream: a client that comes again gets all, and nothing twice.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { mkdtempSync, rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { serviceCommand, startGate, startModel, startServer } from '../harness.mjs';
import { collect, human, named, texts, versions, word } from './common.mjs';

const MODES = ['values', 'updates', 'messages-tuple'];

describe('a server that is killed', { skip: !serviceCommand() && "LangGraph's own server forgets its runs", timeout: 420_000 }, () => {
  let model, server, front, folder;
  before(async () => {
    model = await startModel();
    folder = mkdtempSync(join(process.env.SERVER_FOLDER ?? tmpdir(), 'killed-'));
    server = await startServer({ command: serviceCommand(), folder: join(folder, 'server'), model, environment: { SUPERSTEP_LEASE: '2s' } });
    front = await startGate(server.url);
  });
  after(async () => {
    front?.close();
    await server?.stop();
    model?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const gate = (key, action) => fetch(`${model.url}/gates/${key}/${action}`, { method: action === 'open' ? 'POST' : 'GET' });

  // One kill for both versions and both ways to come again.
  it('loses no event for clients that come again', async () => {
    const watchers = [];
    for (const version of versions) {
      const { Client } = await import(version);
      const client = new Client({ apiUrl: front.url });
      for (const way of ['by itself', 'with the last id']) {
        const thread = await client.threads.create();
        await client.runs.wait(thread.thread_id, 'agent', { input: human('before') });
        const watcher = { version, way, client, thread: thread.thread_id, key: word(), events: [] };
        watchers.push(watcher);
        const abort = new AbortController();
        watcher.half = new Promise((resolve) => {
          watcher.whole = (async () => {
            const options = {
              input: human(`hold ${watcher.key}`),
              streamMode: MODES,
              streamResumable: true,
              onDisconnect: 'continue',
              signal: way === 'by itself' ? undefined : abort.signal,
              onRunCreated: (run) => (watcher.run = run.run_id),
            };
            for await (const event of client.runs.stream(watcher.thread, 'agent', options)) {
              watcher.events.push(event);
              if (event.event === 'messages' && event.data[0].content.includes(watcher.key)) {
                resolve();
                if (way !== 'by itself') break;
              }
            }
          })();
          watcher.whole.catch(() => {});
        });
        await gate(watcher.key, 'held');
        await watcher.half;
      }
    }

    await server.kill();
    await server.start();
    for (const { key } of watchers) await gate(key, 'open');

    for (const watcher of watchers) {
      const { version, way, client, thread, key, run, events } = watcher;
      const name = `${version}, ${way}`;
      await watcher.whole;
      if (way === 'with the last id') {
        const last = events.findLast((it) => it.id !== undefined).id;
        events.push(...(await collect(client.runs.joinStream(thread, run, { lastEventId: last, streamMode: MODES }))));
      }
      assert.deepEqual(texts(named(events, 'values').at(-1)).slice(2), [`hold ${key}`, `Before ${key} and after ${key}.`], name);
      const ids = events.filter((it) => it.event && it.event !== 'messages').map((it) => it.id).filter((it) => it !== undefined);
      assert.equal(new Set(ids).size, ids.length, `${name}: an id came twice`);
      assert.deepEqual(ids, [...ids].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)), name);
      // What is stored of the run is what was seen of it: each once, in this order.
      const replay = await collect(client.runs.joinStream(thread, run, { lastEventId: '-1', streamMode: MODES }));
      for (const kind of ['metadata', 'values', 'updates']) assert.deepEqual(named(events, kind), named(replay, kind), `${name}: ${kind}`);
      assert.equal((await client.runs.get(thread, run)).status, 'success', name);
      assert.equal((await client.threads.get(thread)).status, 'idle', name);
    }
  });
});
