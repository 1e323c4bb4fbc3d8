// The rows by Restate: its server with a log of its own, and the handlers in this process. Answers
// on SERVER_PORT when both are there; runs are started at INGRESS_PORT.
import "./restate-settings.mjs";
import * as restate from "@restatedev/restate-sdk";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "./texts.mjs";

const message = (number) => ({ role: "assistant", id: `m${number}`, content: text(200) });

const chain = restate.service({
  name: "chain",
  handlers: {
    run: async (ctx) => {
      const messages = [];
      let counter = 0;
      for (let i = 0; i < 10; i++) {
        messages.push(await ctx.run("step", () => message(i)));
        counter++;
      }
      return { messages, counter };
    },
  },
});

const question = restate.workflow({
  name: "question",
  handlers: {
    run: async (ctx) => {
      const first = await ctx.run("a", () => message(0));
      await ctx.promise("question").resolve(text(200));
      const answer = await ctx.promise("answer");
      const last = await ctx.run("b", () => message(1));
      const state = { messages: [first, last], counter: 2, answer };
      await ctx.promise("end").resolve(state);
      return state;
    },
    asked: async (ctx) => ctx.promise("question"),
    answer: async (ctx, value) => {
      await ctx.promise("answer").resolve(value);
      return ctx.promise("end");
    },
  },
});

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

async function until(what) {
  for (;;) {
    try {
      if ((await what()).ok) return;
    } catch {
      // not there yet
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const [handlers, admin, node] = [await freePort(), await freePort(), await freePort()];
await restate.serve({ services: [chain, question], port: handlers });

const folder = mkdtempSync(path.join(tmpdir(), "restate-"));
const server = spawn(
  createRequire(import.meta.url).resolve(
    `@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`,
  ),
  ["--base-dir", folder],
  {
    stdio: "inherit",
    env: {
      ...process.env,
      RESTATE_DISABLE_TELEMETRY: "true",
      RESTATE_LISTEN_MODE: "tcp",
      RUST_LOG: "warn",
      RESTATE_BIND_IP: "127.0.0.1",
      RESTATE_BIND_PORT: `${node}`,
      RESTATE_ADMIN__BIND_PORT: `${admin}`,
      RESTATE_INGRESS__BIND_PORT: process.env.INGRESS_PORT,
    },
  },
);
const stop = () => {
  server.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
};
process.on("SIGTERM", stop);
server.on("exit", stop);

await until(() => fetch(`http://127.0.0.1:${admin}/health`));
await until(() =>
  fetch(`http://127.0.0.1:${admin}/deployments`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ uri: `http://127.0.0.1:${handlers}` }),
  }),
);
await until(() =>
  fetch(`http://127.0.0.1:${process.env.INGRESS_PORT}/chain/run`, { method: "POST" }),
);
http.createServer((_, answer) => answer.end("{}")).listen(process.env.SERVER_PORT, "127.0.0.1");
