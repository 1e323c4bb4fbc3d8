// Measures servers with the same script: what the LangGraph face costs over /v1, and how it compares with LangGraph's own server.
//   SERVICE_COMMAND='["java", "-jar", "…"]' node bench.mjs            the service
//   node bench.mjs                                                  LangGraph's in-memory server (cd reference && npm ci)
// Writes a table to the console and bench-<server>.json beside SERVER_FOLDER. Nothing else may run meanwhile.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'sdk-1';
import { serviceCommand, startModel, startServer } from './harness.mjs';

process.env.MODEL_PACE ??= '0';
const N = Number(process.env.RUNS ?? 300);
const folder = process.env.SERVER_FOLDER ?? join(import.meta.dirname, 'server');
const model = await startModel();
const server = await startServer({ command: serviceCommand(), folder, model });
const client = new Client({ apiUrl: server.url });
const result = { server: server.kind, runs: N };
const human = (content) => ({ messages: [{ type: 'human', content }] });
const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
const ms = (value) => Math.round(value * 100) / 100;
const summary = (times) => {
  const sorted = [...times].sort((a, b) => a - b);
  return { p50: ms(at(sorted, 0.5)), p95: ms(at(sorted, 0.95)), mean: ms(times.reduce((a, b) => a + b, 0) / times.length) };
};

async function timed(call) {
  const begin = performance.now();
  await call();
  return performance.now() - begin;
}

const post = async (url, body) => {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`);
  return text;
};

/** Both ways in turns, so that what the machine does beside is in both. */
async function inTurns(ways, rounds) {
  const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  const names = Object.keys(ways);
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 ? names : names.toReversed()) times[name].push(await timed(ways[name]));
  }
  return Object.fromEntries(names.map((name) => [name, summary(times[name])]));
}

/** Resident memory of a process, and of all that it has started and of its database, in MB. */
function memory(pid) {
  const databases = readdirSync(folder, { recursive: true }).filter((it) => it.endsWith('postmaster.pid'));
  const roots = [pid, ...databases.map((it) => Number(readFileSync(join(folder, it), 'utf8').split('\n')[0]))];
  const of = new Map();
  for (const name of readdirSync('/proc').filter((it) => /^\d+$/.test(it))) {
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8');
      const read = (key) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
      // what postgres shares among its processes would be counted for each of them
      of.set(Number(name), { parent: read('PPid'), kB: read('RssAnon') + read('RssFile'), shared: read('RssShmem') });
    } catch {
      // gone meanwhile
    }
  }
  const family = new Set(roots);
  for (let grown = true; grown; ) {
    grown = false;
    for (const [child, { parent }] of of) if (family.has(parent) && !family.has(child)) grown = !!family.add(child);
  }
  const all = [...family].map((it) => of.get(it)).filter(Boolean);
  return { process: Math.round((of.get(pid).kB + of.get(pid).shared) / 1024), withDatabase: Math.round((all.reduce((sum, it) => sum + it.kB, 0) + Math.max(...all.map((it) => it.shared))) / 1024) };
}

// 1. What the face costs: the same graph in a new thread, waited for and streamed.
const lg = (path) => () => post(`${server.url}/threads/${crypto.randomUUID()}/runs/${path}`, { assistant_id: 'steps', input: {}, if_not_exists: 'create', stream_mode: ['values', 'updates'] });
const wait = { langgraph: lg('wait') };
const stream = { langgraph: lg('stream') };
if (server.v1) {
  const v1 = (path) => () => post(`${server.v1}/v1/runs${path}`, { graph: 'steps', input: {}, thread_id: crypto.randomUUID() });
  wait.v1 = v1('?wait=20s');
  stream.v1 = v1('/stream');
  stream.v1WithContents = v1('/stream?with=changes,state');
}
await inTurns({ ...wait, stream: stream.langgraph }, N); // warm-up
result.wait = await inTurns(wait, N);
result.stream = await inTurns(stream, N);
if (server.v1) {
  const over = (ours, base) => `${Math.round((ours.mean / base.mean - 1) * 1000) / 10} % (p50 ${Math.round((ours.p50 / base.p50 - 1) * 1000) / 10} %)`;
  result.overV1 = {
    wait: over(result.wait.langgraph, result.wait.v1),
    stream: over(result.stream.langgraph, result.stream.v1),
    streamWithContents: over(result.stream.langgraph, result.stream.v1WithContents),
  };
}

// 2. A chat, as a front end does it: time to the first piece, and events a second.
async function chat(text) {
  const thread = await client.threads.create();
  const begin = performance.now();
  let first;
  let events = 0;
  for await (const { event, data } of client.runs.stream(thread.thread_id, 'agent', { input: human(text), streamMode: ['values', 'messages-tuple'] })) {
    events++;
    if (event === 'messages' && data[0].content) first ??= performance.now() - begin;
  }
  return { first, events, whole: performance.now() - begin };
}

async function chats(text, clients, each) {
  const begin = performance.now();
  const all = (await Promise.all(Array.from({ length: clients }, async () => {
    const own = [];
    for (let i = 0; i < each; i++) own.push(await chat(text));
    return own;
  }))).flat();
  const seconds = (performance.now() - begin) / 1000;
  return {
    firstPiece: summary(all.map((it) => it.first)),
    whole: summary(all.map((it) => it.whole)),
    eventsPerChat: Math.round(all.reduce((sum, it) => sum + it.events, 0) / all.length),
    eventsPerSecond: Math.round(all.reduce((sum, it) => sum + it.events, 0) / seconds),
    chatsPerSecond: ms(all.length / seconds),
  };
}
await chats('count to 20', 4, 20); // warm-up
result.shortChat = await chats('count to 20', 1, 50);
result.longChat = await chats('count to 1000', 1, 10);
result.eightClients = await chats('count to 200', 8, 10);
result.memory = memory(server.process.pid);

// 3. What is left of ten answers that are being made when the server is killed.
const kept = [];
for (let i = 0; i < 10; i++) {
  const thread = await client.threads.create({ metadata: { bench: 'killed' } });
  await client.runs.wait(thread.thread_id, 'agent', { input: human('hello') });
  const run = await client.runs.create(thread.thread_id, 'agent', { input: human(`hold bench${i}`) });
  await fetch(`${model.url}/gates/bench${i}/held`);
  kept.push({ thread: thread.thread_id, run: run.run_id });
}
await server.kill();
for (let i = 0; i < 10; i++) await fetch(`${model.url}/gates/bench${i}/open`, { method: 'POST' });
const restart = await timed(() => server.start());
const ended = async ({ thread, run }) => {
  for (const until = Date.now() + 20_000; Date.now() < until; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const status = await client.runs.get(thread, run).then((it) => it.status, () => 'gone');
    if (!['pending', 'running'].includes(status)) return status;
  }
  return 'hangs';
};
const statuses = await Promise.all(kept.map(ended));
const values = await Promise.all(kept.map(({ thread }) => client.threads.getState(thread).then((it) => it.values?.messages?.length ?? 0, () => 0)));
result.afterKill = {
  restart: ms(restart),
  threadsFound: await client.threads.search({ metadata: { bench: 'killed' }, limit: 100 }).then((it) => it.length, () => 0),
  answersGiven: statuses.filter((it) => it === 'success').length,
  statuses: [...new Set(statuses)],
  messagesOfEachThread: [...new Set(values)],
};

console.log(JSON.stringify(result, null, 2));
writeFileSync(`${folder}-bench-${server.kind}.json`, `${JSON.stringify(result, null, 2)}\n`);
await server.stop();
model.close();
