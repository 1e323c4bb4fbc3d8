import assert from "node:assert/strict";
import { test } from "node:test";
import { ConflictError, ServiceUnreachableError, TaskFailed, Worker } from "../dist/index.js";

/** What becomes of a task over these recorded steps, and what was posted. */
async function attempt(handler, recorded = [], answer = (step) => ({ ...step, kind: kind(step), status: status(step) })) {
  const posted = [];
  let pending = [
    { id: "k", token: "t", type: "work", input: 1, attempt: 1, idempotency_key: "i", heartbeat_ms: 30_000 },
  ];
  pending[0].repeated = recorded.length > 0;
  let outcome;
  const worker = new Worker({ log: () => {} }).handle("work", handler);
  const done = new Promise((ended) => {
    worker.start({
      tasks: {
        claim: async () => {
          const items = pending;
          pending = [];
          if (items.length === 0) await new Promise((later) => setTimeout(later, 20));
          return { items };
        },
        step: async (id, { token, from, step }) => {
          assert.deepEqual([id, token], ["k", "t"]);
          if (step) {
            posted.push(step);
            return { items: [await answer(step)], more: false };
          }
          return { items: recorded.slice(from, from + 1), more: from + 1 < recorded.length };
        },
        end: async (_, { token, ...body }) => ended((outcome = body)),
      },
    });
    setTimeout(ended, 1000).unref();
  });
  await done;
  await worker.stop(0);
  return { outcome, posted };
}

const kind = (step) => (step.sleep ? "sleep" : step.ask ? "ask" : "call");

function status(step) {
  if (kind(step) !== "call") return "waiting";
  return step.error ? "failed" : "result" in step ? "succeeded" : "begun";
}

const done = (ordinal, name, result, kind = "call") => ({ ordinal, name, kind, status: "succeeded", result });

test("records what a call returns before it goes on", async () => {
  const keys = [];
  const { outcome, posted } = await attempt(async (_, { steps }) => {
    const one = await steps.run("one", (key) => (keys.push(key), { at: new Date(0) }));
    await steps.run("two", () => undefined);
    return one;
  });
  assert.deepEqual(outcome, { result: { at: "1970-01-01T00:00:00.000Z" } });
  assert.deepEqual(posted.map((it) => [it.ordinal, it.name]), [[0, "one"], [1, "two"]]);
  assert.equal(posted[1].result, null);
  assert.deepEqual(keys, ["i-0"]);
});

test("returns what is recorded, and makes no call again", async () => {
  const { outcome, posted } = await attempt(
    async (_, { steps }) => [
      await steps.run("one", () => assert.fail()),
      await steps.run("two", () => assert.fail()),
      await steps.run("three", () => 3),
    ],
    [done(0, "one", 1), done(1, "two", null)],
  );
  assert.deepEqual(outcome, { result: [1, null, 3] });
  assert.equal(posted.length, 1);
});

test("keeps a failure that was caught", async () => {
  const handler = async (_, { steps }) => {
    const text = await steps.run("one", () => Promise.reject(new TaskFailed("no_card"))).catch((it) => it.error.code);
    return steps.run("two", () => text);
  };
  const first = await attempt(handler);
  assert.deepEqual(first.posted.map((it) => it.error?.code ?? it.result), ["no_card", "no_card"]);
  const error = { code: "expired", message: "m", retryable: false };
  const again = await attempt(handler, [{ ordinal: 0, name: "one", kind: "call", status: "failed", error }]);
  assert.deepEqual(again.outcome, { result: "expired" });
});

test("makes a failed call again if it was not caught", async () => {
  const { outcome, posted } = await attempt((_, { steps }) => steps.run("one", () => Promise.reject(new Error("x"))));
  assert.equal(outcome.error.code, "node_failed");
  assert.deepEqual(posted, []);
});

test("makes a call once at most", async () => {
  const handler = (_, { steps }) => steps.once("one", () => 1);
  const first = await attempt(handler);
  assert.deepEqual(first.posted, [{ ordinal: 0, name: "one" }, { ordinal: 0, name: "one", result: 1 }]);
  const again = await attempt(handler, [{ ordinal: 0, name: "one", kind: "call", status: "lost" }]);
  assert.equal(again.outcome.error.code, "unknown_outcome");
  assert.deepEqual(again.posted, []);
});

test("fails a task for good with a call that is made once", async () => {
  const { outcome } = await attempt(
    (_, { steps }) => steps.once("one", () => Promise.reject(new Error("x"))),
    [],
    ({ error, ...step }) => ({
      ...step,
      kind: "call",
      ...(error ? { status: "failed", error: { code: error.code, message: error.message } } : { status: "begun" }),
    }),
  );
  assert.deepEqual(outcome.error, { code: "node_failed", message: "Error: x" });
});

for (const [what, recorded] of [
  ["has another name", [done(0, "other", 1)]],
  ["is another kind of step", [done(0, "one", 1, "ask"), done(1, "two", 1)]],
  ["is not come to", [done(0, "one", 1), done(1, "two", 1)]],
]) {
  test(`fails a task whose step ${what}, whatever its handler does`, async () => {
    const { outcome } = await attempt((_, { steps }) => steps.run("one", () => 1).catch(() => 2), recorded);
    assert.equal(outcome.error.code, "step_mismatch");
    assert.match(outcome.error.message, /other|two|ask/);
  });
}

test("asks again until a step is recorded", async () => {
  let failures = 1;
  const { outcome } = await attempt((_, { steps }) => steps.run("one", () => 1), [], (step) => {
    if (failures-- > 0) throw new ServiceUnreachableError("gone");
    return { ...step, kind: "call", status: "succeeded" };
  });
  assert.deepEqual(outcome, { result: 1 });
});

test("is cancelled when another worker has the task", async () => {
  let signal;
  const { outcome } = await attempt(
    (_, task) => ((signal = task.signal), task.steps.run("one", () => 1)),
    [],
    () => {
      throw new ConflictError(409, { code: "task_lease_lost" });
    },
  );
  assert.equal(outcome, undefined);
  assert.ok(signal.aborted);
});

test("makes no call for a task that does not count any more", async () => {
  let calls = 0;
  let caught;
  await attempt(
    async (_, { steps }) => {
      try {
        await steps.run("one", () => ++calls);
      } catch (error) {
        caught = error;
      }
      return steps.run("two", () => ++calls);
    },
    [],
    () => {
      throw new ConflictError(409, { code: "task_lease_lost" });
    },
  );
  assert.equal(calls, 1);
  assert.ok(!(caught instanceof TaskFailed), String(caught));
});

for (const recorded of [[], [{ ordinal: 0, name: "wait", kind: "sleep", status: "waiting" }]]) {
  test(`gives its task back to sleep, ${recorded.length} recorded`, async () => {
    let signal;
    const { outcome, posted } = await attempt(async (_, task) => {
      ({ signal } = task);
      await task.steps.sleep("wait", 1500);
      return 1;
    }, recorded);
    assert.deepEqual(posted, [{ ordinal: 0, name: "wait", sleep: "1500ms" }]);
    assert.equal(outcome, undefined);
    assert.ok(signal.aborted);
  });
}

test("gives its task back to ask, and goes on with the answer", async () => {
  const handler = async (_, { steps }) => {
    await steps.sleep("wait", 1500);
    return steps.ask("sure", { payload: "?", default_answer: 7 });
  };
  const slept = done(0, "wait", "2026-01-01T00:00:00Z", "sleep");
  const asks = await attempt(handler, [slept]);
  assert.deepEqual(asks.posted, [{ ordinal: 1, name: "sure", ask: { payload: "?", default_answer: 7 } }]);
  assert.equal(asks.outcome, undefined);
  const answered = await attempt(handler, [slept, done(1, "sure", false, "ask")]);
  assert.deepEqual([answered.outcome, answered.posted], [{ result: false }, []]);
  assert.equal((await new Worker().handle("work", handler).test("work", 1)).result, 7);
});

test("fails a task whose step returns no JSON", async () => {
  const { outcome, posted } = await attempt((_, { steps }) => steps.run("one", () => 1n));
  assert.equal(outcome.error.code, "invalid_result");
  assert.deepEqual(posted, []);
});

test("makes steps one behind the other, under names", async () => {
  const { outcome } = await attempt(async (_, { steps }) => {
    const both = await Promise.allSettled([steps.run("one", () => 1), steps.run("two", () => 2)]);
    const bad = await Promise.allSettled([steps.run("no name", () => 1)]);
    return [...both, ...bad].map((it) => it.status);
  });
  assert.deepEqual(outcome.result, ["fulfilled", "rejected", "rejected"]);
});

test("makes steps without a service in a test", async () => {
  const worker = new Worker().handle("work", (_, { steps }) => steps.once("one", () => ({ a: 1 })));
  assert.deepEqual((await worker.test("work", 1)).result, { a: 1 });
});
