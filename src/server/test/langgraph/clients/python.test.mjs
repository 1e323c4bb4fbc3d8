// What langgraph-sdk of Python sends, sent again: see python/record.py, which made the records against LangGraph's own server.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { url } from './common.mjs';

const { client, requests } = JSON.parse(readFileSync(join(import.meta.dirname, '../python/requests.json')));

/** Members that the records have and a server may leave out: the client does not read them. */
const OPTIONAL = new Set(['kwargs', 'config', 'error', 'state_updated_at', 'checkpoint_id', 'checkpoint_ns', 'configurable', 'decision', '__interrupt__']);

describe(`the requests of Python's ${client}`, { timeout: 240_000 }, () => {
  it('are answered as they were when they were recorded', async () => {
    const ids = new Map();
    const concrete = (text) => text.replace(/\$\{([a-z_]+\.\d+)\}/g, (_, name) => ids.get(name) ?? assert.fail(`${name} is not known`));
    for (const { method, path, headers, body, status, captures, keys, items } of requests) {
      const name = `${method} ${path}`;
      const answer = await fetch(url + concrete(path), { method, headers, body: body === null ? undefined : concrete(JSON.stringify(body)) });
      const text = await answer.text();
      assert.equal(answer.status, status, `${name}: ${text.slice(0, 500)}`);
      const json = answer.headers.get('content-type')?.startsWith('application/json') && text ? JSON.parse(text) : undefined;
      for (const [id, place] of Object.entries(captures)) {
        const value = place === 'content-location' ? answer.headers.get(place)?.split('/runs/')[1] : place.reduce((it, key) => it?.[key], json);
        assert.ok(value, `${name}: ${id} at ${place} of ${text.slice(0, 500)}`);
        ids.set(id, value);
      }
      for (const key of keys ?? []) assert.ok(OPTIONAL.has(key) || key in json, `${name}: no ${key} in ${text.slice(0, 500)}`);
      if (items !== undefined) assert.ok(json.length >= items, `${name}: ${text.slice(0, 500)}`);
      if (path.includes('/stream')) assert.match(answer.headers.get('content-type'), /^text\/event-stream/, name);
    }
  });
});
