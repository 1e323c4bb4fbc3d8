import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";
import {
  ConflictError,
  InvalidRequestError,
  NotFoundError,
  OverloadedError,
  RunTimeoutError,
  ServiceUnreachableError,
  Superstep,
  paginate,
} from "../dist/index.js";

const servers = [];
after(() =>
  servers.forEach((it) => {
    it.closeAllConnections();
    it.close();
  }),
);

/** A service that answers one request after the other by these functions, the last one for ever. */
async function service(...answers) {
  const requests = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method, url, headers } = request;
    requests.push({ method, url, headers, body });
    answers[Math.min(requests.length, answers.length) - 1](response, requests.at(-1));
  });
  servers.push(server);
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const baseUrl = `http://127.0.0.1:${server.address().port}`;
  const client = new Superstep({ baseUrl, apiKey: "k-1", retries: 3, retryPauseMs: 1, idleMs: 2000 });
  return { client, requests };
}

const json = (status, body, headers = {}) => (response) => {
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(JSON.stringify(body));
};
const problem = (status, code, more = {}, headers = {}) =>
  json(status, { status, code, detail: `because of ${code}`, ...more }, headers);
const hangUp = (response) => response.destroy();
const run = (status, more = {}) => ({ id: "r-1", status, interrupts: [], ...more });
const frame = (seq, type) =>
  `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify({ seq, type, run_id: "r-1" })}\n\n`;
const live = (text) =>
  `event: message.delta\ndata: ${JSON.stringify({ type: "message.delta", data: { text } })}\n\n`;
const stream = (text, { broken = false, headers = {} } = {}) => (response) => {
  response.writeHead(200, { "Content-Type": "text/event-stream", ...headers });
  response.write(text, () => (broken ? setTimeout(() => response.destroy(), 20) : response.end()));
};
const noContent = (response) => response.writeHead(204).end();
const typesOf = async (events) => {
  const types = [];
  for await (const event of events) types.push(event.type);
  return types;
};

test("keeps one idempotency key over all repetitions of a call", async () => {
  const { client, requests } = await service(
    hangUp,
    problem(503, "database_unavailable", {}, { "Retry-After": "0" }),
    problem(409, "idempotency_in_progress"),
    json(200, run("succeeded")),
  );

  assert.equal((await client.runs.start({ graph: "g", input: {} })).status, "succeeded");

  const keys = requests.map((it) => it.headers["idempotency-key"]);
  assert.equal(keys.length, 4);
  assert.match(keys[0], /^[0-9a-f]{32}$/);
  assert.equal(new Set(keys).size, 1);
  await client.runs.start({ graph: "g", input: {} });
  assert.notEqual(requests.at(-1).headers["idempotency-key"], keys[0]);
  assert.equal(requests[0].headers.authorization, "Bearer k-1");
});

test("waits as long as Retry-After says", async () => {
  const { client } = await service(
    problem(429, "too_many_requests", {}, { "Retry-After": "1" }),
    json(200, run("succeeded")),
  );
  const begin = Date.now();

  await client.runs.get("r-1");

  assert.ok(Date.now() - begin >= 950);
});

test("gives up after its retries, and at once if it would have to wait too long", async () => {
  const busy = await service(problem(503, "server_busy"));
  await assert.rejects(busy.client.runs.get("r-1"), OverloadedError);
  assert.equal(busy.requests.length, 4);

  const long = await service(problem(503, "server_busy", {}, { "Retry-After": "3600" }));
  await assert.rejects(long.client.runs.get("r-1"), (it) => it.retryAfter === 3600);
  assert.equal(long.requests.length, 1);

  const gone = await service(hangUp);
  await assert.rejects(gone.client.runs.get("r-1"), ServiceUnreachableError);
});

test("does not repeat what is wrong, nor what would have an effect twice", async () => {
  const violation = { pointer: "/input/name", code: "type", message: "must be a string" };
  const wrong = await service(problem(422, "invalid_input", { errors: [violation] }));
  await assert.rejects(wrong.client.runs.start({ graph: "g", input: { name: 7 } }), (error) => {
    assert.ok(error instanceof InvalidRequestError);
    assert.equal(error.code, "invalid_input");
    assert.deepEqual(error.violations, [violation]);
    assert.match(error.message, /\/input\/name: must be a string/);
    return true;
  });
  assert.equal(wrong.requests.length, 1);

  const keys = await service(hangUp);
  await assert.rejects(keys.client.keys.create({ name: "n", scopes: ["read"] }));
  assert.equal(keys.requests.length, 1);
});

test("names errors by their status, with and without a problem", async () => {
  const missing = await service(problem(404, "run_not_found"));
  await assert.rejects(missing.client.runs.get("r"), NotFoundError);
  const busy = await service(problem(409, "thread_busy"));
  await assert.rejects(busy.client.runs.start({ graph: "g", input: {} }), ConflictError);
  const proxy = await service((it) => it.writeHead(400).end("<html>"));
  await assert.rejects(proxy.client.runs.get("r"), (it) => it.code === "http_400");
});

test("takes a deletion for done that was not answered", async () => {
  const { client, requests } = await service(hangUp, problem(404, "run_not_found"));
  await client.runs.delete("r-1");
  assert.equal(requests.length, 2);
});

test("sends parts of a path as they are meant", async () => {
  const { client, requests } = await service(json(200, run("succeeded")));
  await client.runs.get("a/../b c?");
  assert.equal(requests[0].url, "/v1/runs/a%2F..%2Fb%20c%3F");
  assert.throws(() => client.runs.get(".."), TypeError);
});

test("sends lists, and definitions as what they are", async () => {
  const { client, requests } = await service(json(200, { items: [] }));
  await client.runs.search({ status: ["failed", "cancelled"], limit: 5 });
  assert.equal(requests[0].url, "/v1/runs?status=failed&status=cancelled&limit=5");
  await client.graphs.create("name: g");
  assert.equal(requests[1].headers["content-type"], "application/yaml");
  await client.graphs.create({ name: "g" });
  assert.equal(requests[2].headers["content-type"], "application/json");
});

test("waits on until the run is at rest", async () => {
  const { client, requests } = await service(
    json(202, run("queued")),
    json(200, run("running")),
    json(200, run("succeeded", { output: { x: 1 } })),
  );

  const ended = await client.runs.run({ graph: "g", input: {} });

  assert.deepEqual(ended.output, { x: 1 });
  assert.deepEqual(
    requests.map((it) => it.method + it.url),
    ["POST/v1/runs?wait=30000ms", "GET/v1/runs/r-1?wait=30000ms", "GET/v1/runs/r-1?wait=30000ms"],
  );
});

test("says when the time to wait is over, with the run as it is", async () => {
  const slow = (response) => setTimeout(() => json(200, run("running"))(response), 30);
  const { client } = await service(slow);
  await assert.rejects(client.runs.wait("r-1", { timeoutMs: 50 }), (error) => {
    assert.ok(error instanceof RunTimeoutError);
    assert.equal(error.run.status, "running");
    return true;
  });
});

test("answers questions, and leaves those open that get no answer", async () => {
  const asks = run("interrupted", { interrupts: [{ id: "i-1", payload: { question: "?" } }] });
  const { client, requests } = await service(json(200, asks), json(200, run("succeeded")));
  const ended = await client.runs.wait("r-1", { answer: (it) => ({ said: it.payload.question }) });
  assert.equal(ended.status, "succeeded");
  assert.deepEqual(JSON.parse(requests[1].body), {
    answers: [{ interrupt_id: "i-1", value: { said: "?" } }],
  });

  const open = await service(json(200, asks));
  const left = await open.client.runs.wait("r-1", { answer: () => undefined });
  assert.equal(left.status, "interrupted");
  assert.equal(open.requests.length, 1);
});

test("comes back to a broken stream behind the last stored event", async () => {
  const half = frame(3, "run.succeeded").slice(0, 20);
  const { client, requests } = await service(
    stream(frame(1, "run.created") + live("Hi") + frame(2, "superstep.committed") + half, {
      broken: true,
    }),
    problem(503, "server_busy"),
    stream(frame(3, "run.succeeded")),
  );

  const types = await typesOf(client.runs.stream("r-1"));

  assert.deepEqual(types, ["run.created", "message.delta", "superstep.committed", "run.succeeded"]);
  assert.deepEqual(
    requests.map((it) => it.headers["last-event-id"]),
    [undefined, "2", "2"],
  );
});

test("comes back when the service cuts a stream, and ends when nothing is left", async () => {
  const cut = 'event: stream.cut\ndata: {"type":"stream.cut","data":{"reason":"stopping"}}\n\n';
  const { client, requests } = await service(
    stream(frame(1, "run.created") + "id: 7\n\n" + cut),
    noContent,
  );
  assert.deepEqual(await typesOf(client.runs.stream("r-1", { lastEventId: 0 })), ["run.created"]);
  assert.deepEqual(
    requests.map((it) => it.headers["last-event-id"]),
    ["0", "7"],
  );
});

test("reads frames that come in pieces and with other line ends", async () => {
  const text = frame(1, "run.succeeded").replaceAll("\n", "\r\n");
  const { client } = await service((response) => {
    response.writeHead(200);
    const next = (at) =>
      at < text.length
        ? response.write(text[at], () => setImmediate(() => next(at + 1)))
        : response.end();
    next(0);
  });
  assert.deepEqual(await typesOf(client.runs.stream("r-1")), ["run.succeeded"]);
});

test("gives a stream up that brings nothing", async () => {
  const { client, requests } = await service(stream(":\n\n"));
  await assert.rejects(typesOf(client.runs.stream("r-1")), /not at rest/);
  assert.equal(requests.length, 4);
});

test("takes a silent stream for broken", async () => {
  const silent = (response) => response.writeHead(200).write(frame(1, "run.created"));
  await service(silent, stream(frame(2, "run.succeeded")));
  const baseUrl = `http://127.0.0.1:${servers.at(-1).address().port}`;
  const client = new Superstep({ baseUrl, retryPauseMs: 1, idleMs: 500 });
  assert.deepEqual(await typesOf(client.runs.stream("r-1")), ["run.created", "run.succeeded"]);
});

test("starts one run although the answer to the first request is lost", async () => {
  const { client, requests } = await service(
    hangUp,
    stream(frame(1, "run.created"), { broken: true, headers: { Location: "/v1/runs/r-1" } }),
    stream(frame(2, "run.succeeded")),
  );

  const types = await typesOf(client.runs.startStream({ graph: "g", input: {} }, { type: ["a"] }));

  assert.deepEqual(types, ["run.created", "run.succeeded"]);
  assert.deepEqual(
    requests.map((it) => it.method + it.url),
    ["POST/v1/runs/stream?type=a", "POST/v1/runs/stream?type=a", "GET/v1/runs/r-1/stream?type=a"],
  );
  assert.match(requests[0].headers["idempotency-key"], /^[0-9a-f]{32}$/);
  assert.equal(requests[0].headers["idempotency-key"], requests[1].headers["idempotency-key"]);
});

test("closes the connection when the reader leaves", async () => {
  let closed;
  const left = new Promise((done) => (closed = done));
  const { client } = await service((response) => {
    response.on("close", closed);
    response.writeHead(200).write(frame(1, "run.created"));
  });
  for await (const event of client.runs.stream("r-1")) {
    assert.equal(event.seq, 1);
    break;
  }
  await left;
});

test("ends calls, pauses and streams by a signal", async () => {
  const { client } = await service(problem(503, "server_busy", {}, { "Retry-After": "30" }));
  const signal = AbortSignal.timeout(30);
  await assert.rejects(client.runs.get("r-1", { signal }), { name: "TimeoutError" });
  await assert.rejects(typesOf(client.runs.stream("r-1", { signal })), { name: "TimeoutError" });
});

test("goes through all parts of a list", async () => {
  const { client, requests } = await service(
    json(200, { items: [1, 2], next_cursor: "c" }),
    json(200, { items: [3] }),
  );
  const found = [];
  for await (const it of paginate((cursor) => client.runs.search({ cursor }))) found.push(it);
  assert.deepEqual(found, [1, 2, 3]);
  assert.equal(requests[1].url, "/v1/runs?cursor=c");
});
