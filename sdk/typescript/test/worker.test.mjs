import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { AccessDeniedError, Superstep, TaskFailed, Worker } from "../dist/index.js";

const ends = [];
after(() => Promise.all(ends.map((it) => it())));

const task = (number, lease = 30_000) => ({
  id: `k-${number}`,
  token: `t-${number}`,
  type: "work",
  input: number,
  attempt: 1,
  idempotency_key: `i-${number}`,
  heartbeat_ms: lease,
});

/** A service with these tasks; it answers with statuses, or wants a task or not, the last for ever. */
async function service(tasks, { heartbeats = [true], outcomes = [204] } = {}) {
  const calls = { claim: [], heartbeat: [], outcome: [], release: [] };
  const answers = { heartbeat: [...heartbeats], outcome: [...outcomes], release: [204] };
  const queue = [...tasks];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const url = new URL(request.url, "http://x");
    const name = url.pathname.split("/").pop();
    calls[name].push(name === "claim" ? url.search : JSON.parse(body));
    if (name === "claim") {
      const items = queue.splice(0, Number(url.searchParams.get("max")));
      if (items.length === 0) await new Promise((done) => setTimeout(done, 20));
      return response.end(JSON.stringify({ items }));
    }
    const answer = answers[name].length > 1 ? answers[name].shift() : answers[name][0];
    if (answer === undefined) return response.destroy();
    if (typeof answer === "boolean") return response.end(JSON.stringify({ wanted: answer }));
    response.writeHead(answer, { "Content-Type": "application/json" });
    response.end(answer === 204 ? undefined : JSON.stringify({ code: "c" }));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  ends.push(() => (server.closeAllConnections(), server.close()));
  const baseUrl = `http://127.0.0.1:${server.address().port}`;
  return { calls, client: new Superstep({ baseUrl, retries: 0 }) };
}

function works(client, handler, options = {}) {
  const worker = new Worker({ log: () => {}, ...options }).handle("work", handler).start(client);
  ends.unshift(() => worker.stop(0));
  return worker;
}

async function until(condition) {
  for (const end = Date.now() + 10_000; !condition(); ) {
    assert.ok(Date.now() < end, `never: ${condition}`);
    await new Promise((done) => setTimeout(done, 10));
  }
}

test("tells what a handler makes of an input", async () => {
  const worker = new Worker({ log: () => {} })
    .handle("charge", (order, task) => ({ receipt: `${order.id} ${task.attempt}` }))
    .handle("declines", () => {
      const more = { retryable: true, retryAfterMs: 1500, details: { a: 1 } };
      throw new TaskFailed("declined", "no", more);
    })
    .handle("fails", async () => Promise.reject(new RangeError("x")))
    .handle("nothing", () => undefined);

  assert.deepEqual((await worker.test("charge", { id: "a" }, { attempt: 2 })).result, {
    receipt: "a 2",
  });
  assert.deepEqual((await worker.test("declines", {})).error, {
    code: "declined",
    message: "no",
    retryable: true,
    retry_after: "1500ms",
    details: { a: 1 },
  });
  const { code, message, retryable } = (await worker.test("fails", {})).error;
  assert.deepEqual([code, message, retryable], ["node_failed", "RangeError: x", true]);
  assert.deepEqual((await worker.test("nothing", {})).result, {});
});

test("claims no more than it has places for", async () => {
  const { calls, client } = await service(Array.from({ length: 9 }, (_, i) => task(i)));
  let atOnce = 0;
  let most = 0;
  let open;
  const gate = new Promise((done) => (open = done));
  const handler = async () => {
    most = Math.max(most, ++atOnce);
    await gate;
    atOnce--;
  };
  works(client, handler, { concurrency: 3, name: "w" });
  await until(() => atOnce === 3);
  await new Promise((done) => setTimeout(done, 100));
  assert.deepEqual(calls.claim, ["?type=work&max=3&wait=5000ms&worker=w"]);
  open();
  await until(() => calls.outcome.length === 9);
  assert.equal(most, 3);
});

test("sends an outcome until it counts", async () => {
  const { calls, client } = await service([task(1)], { outcomes: [503, undefined, 204] });
  works(client, (n) => ({ n }));
  await until(() => calls.outcome.length === 3);
  assert.deepEqual(calls.outcome, Array(3).fill({ token: "t-1", result: { n: 1 } }));
});

test("leaves an outcome that is refused", async () => {
  const { calls, client } = await service([task(1), task(2)], { outcomes: [409, 204] });
  works(client, (n) => n, { concurrency: 1 });
  await until(() => calls.outcome.length === 2);
  assert.deepEqual(
    calls.outcome.map((it) => it.token),
    ["t-1", "t-2"],
  );
});

test("fails a task whose result the service does not take", async () => {
  const { calls, client } = await service([task(1)], { outcomes: [422, 204] });
  works(client, () => "too long");
  await until(() => calls.outcome.length === 2);
  assert.equal(calls.outcome[1].error.code, "invalid_result");
});

test("keeps the lease and tells of progress", async () => {
  const { calls, client } = await service([task(1, 930)], { heartbeats: [503, true] });
  let open;
  const gate = new Promise((done) => (open = done));
  works(client, async (_, task) => {
    task.progress({ percent: 40 });
    await gate;
    assert.ok(!task.signal.aborted);
  });
  await until(() => calls.heartbeat.length === 8);
  open();
  await until(() => calls.outcome.length === 1);
  assert.deepEqual(calls.heartbeat.at(-1), { token: "t-1", progress: { percent: 40 } });
});

for (const [what, heartbeats] of [
  ["no run wants", [true, false]],
  ["another worker has", [409]],
  ["it could not keep", [503]],
]) {
  test(`cancels what ${what}`, async () => {
    const { calls, client } = await service([task(1, 900)], { heartbeats });
    let cancelled = false;
    works(client, async (_, { signal }) => {
      await new Promise((done) => signal.addEventListener("abort", done));
      cancelled = true;
    });
    await until(() => cancelled);
    await new Promise((done) => setTimeout(done, 50));
    assert.deepEqual(calls.outcome, []);
    assert.ok(calls.heartbeat.length >= (heartbeats[0] === 409 ? 1 : 2));
  });
}

test("ends what is in hand before it stops", async () => {
  const { calls, client } = await service([task(1), task(2)]);
  let begun = false;
  const handler = async (n) => {
    begun = true;
    await new Promise((done) => setTimeout(done, 200));
    return n;
  };
  const worker = works(client, handler, { concurrency: 1 });
  await until(() => begun);
  await worker.stop();
  assert.deepEqual(calls.outcome, [{ token: "t-1", result: 1 }]);
  assert.deepEqual([calls.claim.length, calls.release.length], [1, 0]);
});

test("gives back what is not done when the grace is over", async () => {
  const { calls, client } = await service([task(1)]);
  let begun = false;
  const worker = works(client, async (_, { signal }) => {
    begun = true;
    await new Promise((done) => signal.addEventListener("abort", done));
  });
  await until(() => begun);
  await worker.stop(50);
  assert.deepEqual(calls.release, [{ token: "t-1" }]);
  assert.deepEqual(calls.outcome, []);
});

test("ends when the service refuses its claims", async () => {
  const { client } = await service([]);
  client.tasks.claim = () => Promise.reject(new AccessDeniedError(403, { code: "insufficient_scope" }));
  const worker = new Worker({ log: () => {} }).handle("work", (n) => n);
  await assert.rejects(worker.run(client), /insufficient_scope/);
});

test("goes on when a proxy refuses its claims", async () => {
  const { calls, client } = await service([task(1)]);
  const claim = client.tasks.claim.bind(client.tasks);
  let refused = 0;
  client.tasks.claim = (options) =>
    refused++ === 0 ? Promise.reject(new AccessDeniedError(403, {})) : claim(options);
  works(client, (n) => n);
  await until(() => calls.outcome.length === 1);
});

test("says what is no JSON, and where", async () => {
  const worker = new Worker({ log: () => {} })
    .handle("result", () => ({ n: 1n }))
    .handle("progress", (_, task) => task.progress(1n));
  assert.equal((await worker.test("result", {})).error.code, "invalid_result");
  assert.equal((await worker.test("progress", {})).error.code, "node_failed");
});

test("gives back although the first call fails", async () => {
  const { calls, client } = await service([task(1)]);
  const release = client.tasks.release.bind(client.tasks);
  let failed = 0;
  client.tasks.release = (...args) => (failed++ === 0 ? Promise.reject(new Error("x")) : release(...args));
  let begun = false;
  const worker = works(client, async (_, { signal }) => {
    begun = true;
    await new Promise((done) => signal.addEventListener("abort", done));
  });
  await until(() => begun);
  await worker.stop(50);
  assert.deepEqual(calls.release, [{ token: "t-1" }]);
});
