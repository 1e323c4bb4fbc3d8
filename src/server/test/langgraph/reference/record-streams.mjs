// Records what LangGraph's own server streams of the graphs in kinds.mjs, in every mode, by the kinds of its events:
// node record-streams.mjs ../../resources/langgraph/streams.json
import { startServer } from '@langchain/langgraph-api/server';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import * as kinds from './kinds.mjs';

const MODES = ['values', 'updates', 'messages-tuple', 'messages', 'tasks', 'checkpoints', 'debug', 'custom'];


const free = createServer().listen(0, '127.0.0.1');
await once(free, 'listening');
const { port } = free.address();
free.close();
const graphs = Object.fromEntries(Object.keys(kinds).map((name) => [name, `${import.meta.dirname}/kinds.mjs:${name}`]));
await startServer({ port, nWorkers: 10, host: '127.0.0.1', cwd: process.env.TMPDIR ?? '/tmp', graphs });

const url = `http://127.0.0.1:${port}`;
const post = (path, body) => fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const json = async (response) => (await response).json();

function events(text) {
  return text.split(/\r?\n\r?\n/).flatMap((frame) => {
    const field = (name) => frame.match(new RegExp(`^${name}: ?(.*)$`, 'm'))?.[1];
    return field('event') ? [{ event: field('event'), data: JSON.parse(field('data') ?? 'null') }] : [];
  });
}

const task = (it) => `${'result' in it ? 'end' : 'begin'} ${it.name}${it.error ? ' failed' : ''}${it.interrupts.length ? ' asks' : ''}`;

/** The kind of an event, in a word or two: NodeTypeStreamApiTests reads those of the service alike. */
function kind({ event, data }) {
  switch (event) {
    case 'values': return '__interrupt__' in data ? 'values asks' : 'values';
    case 'updates': return Object.keys(data).sort().join(' ');
    case 'messages': return data[1].langgraph_node;
    case 'tasks': return task(data);
    case 'checkpoints': return `${data.metadata.step} ${data.next.join(' ')}`;
    case 'debug': return `${data.step} ${data.type === 'checkpoint' ? 'checkpoint' : task(data.payload)}`;
    default: return event;
  }
}

const recorded = {};
async function record(graph, name, thread, body) {
  recorded[name] = {};
  for (const mode of MODES) {
    const text = await (await post(`/threads/${await thread(mode)}/runs/stream`, { assistant_id: graph, stream_mode: mode, ...body })).text();
    recorded[name][mode] = events(text).filter((it) => it.event !== 'metadata' && it.event !== 'error').map(kind);
  }
}

for (const graph of Object.keys(kinds)) {
  const threads = {};
  const input = { input: { word: 'w' } };
  await record(graph, graph, async (mode) => (threads[mode] = (await json(post('/threads', {}))).thread_id), input);
  const { tasks } = await json(fetch(`${url}/threads/${threads.values}/state`));
  if (tasks.some((it) => it.interrupts.length)) {
    await record(graph, `${graph} answered`, (mode) => threads[mode], { command: { resume: 'yes' } });
  }
}
const modes = (it) => Object.entries(it).map(([mode, list]) => `    "${mode}": ${JSON.stringify(list).replaceAll('","', '", "')}`).join(',\n');
const all = Object.entries(recorded).map(([name, it]) => `  "${name}": {\n${modes(it)}\n  }`).join(',\n');
writeFileSync(process.argv[2], `{\n${all}\n}\n`);
process.exit();
