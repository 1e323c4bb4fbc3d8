// Asks the YAML language server, as editors do, what it offers in a definition under docs/graph.schema.json, and
// what it finds wrong. Run by hand: npm ci && npm run check
import { spawn } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const schema = pathToFileURL(at("../../../docs/graph.schema.json")).href;
const server = spawn(process.execPath, [at("node_modules/yaml-language-server/bin/yaml-language-server"), "--stdio"]);
const waiting = new Map();
const diagnostics = new Map();
let configured;
const isConfigured = new Promise((resolve) => (configured = resolve));
let buffer = Buffer.alloc(0);
let last = 0;

server.stdout.on("data", (chunk) => {
  buffer = Buffer.concat([buffer, chunk]);
  for (;;) {
    const head = buffer.indexOf("\r\n\r\n");
    if (head < 0) return;
    const length = Number(/Content-Length: (\d+)/i.exec(buffer.subarray(0, head).toString())[1]);
    if (buffer.length < head + 4 + length) return;
    receive(JSON.parse(buffer.subarray(head + 4, head + 4 + length).toString()));
    buffer = buffer.subarray(head + 4 + length);
  }
});

function receive(message) {
  if (message.method === "textDocument/publishDiagnostics") {
    diagnostics.get(message.params.uri)?.(message.params.diagnostics);
  } else if (message.method === "workspace/configuration") {
    send({ id: message.id, result: message.params.items.map((it) => (it.section === "yaml" ? settings : null)) });
    configured();
  } else if (message.method && message.id !== undefined) {
    send({ id: message.id, result: null });
  } else if (message.id !== undefined) {
    waiting.get(message.id)?.(message.result);
  }
}

function send(message) {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function ask(method, params) {
  const id = ++last;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    send({ id, method, params });
  });
}

const settings = { completion: true, validate: true, hover: true, schemas: { [schema]: "*.yaml" } };
await ask("initialize", {
  processId: process.pid,
  rootUri: null,
  capabilities: { workspace: { configuration: true }, textDocument: { completion: {} } },
});
send({ method: "initialized", params: {} });
send({ method: "workspace/didChangeConfiguration", params: { settings: { yaml: settings } } });
await isConfigured;

/** Opens a text, in which | is the cursor. */
async function open(name, marked) {
  const offset = marked.indexOf("|");
  const text = offset < 0 ? marked : marked.slice(0, offset) + marked.slice(offset + 1);
  const uri = `file:///${name}.yaml`;
  const found = new Promise((resolve) => diagnostics.set(uri, resolve));
  send({ method: "textDocument/didOpen", params: { textDocument: { uri, languageId: "yaml", version: 1, text } } });
  const before = marked.slice(0, Math.max(offset, 0)).split("\n");
  return { uri, found, position: { line: before.length - 1, character: before.at(-1).length } };
}

let failed = 0;
function report(what, wanted, got) {
  const missing = wanted.filter((it) => !got.some((label) => label.includes(it)));
  failed += missing.length === 0 ? 0 : 1;
  console.log(`${missing.length === 0 ? "ok  " : "FAIL"} ${what}: ${got.length} offered, among them ${wanted.join(", ")}`);
  if (missing.length > 0) console.log(`     missing ${missing.join(", ")}; offered: ${got.join(", ")}`);
}

async function offers(what, marked, wanted) {
  const { uri, position, found } = await open(what.replaceAll(/\W/g, "-"), marked);
  await found;
  const list = await ask("textDocument/completion", { textDocument: { uri }, position });
  report(what, wanted, (list?.items ?? list ?? []).map((it) => it.label));
}

async function finds(what, text, wanted) {
  const { found } = await open(what.replaceAll(/\W/g, "-"), text);
  report(what, wanted, (await found).map((it) => it.message));
}

const graph = "name: g\nnodes:\n  - id: a\n    type: ";
await offers("keys of a graph", "name: g\n|", ["channels", "nodes", "edges", "strict_channels"]);
await offers("keys of a node", graph + "llm\n    |", ["config", "retry", "next", "catch", "on_failure"]);
await offers("node types", graph + "|", ["llm", "human", "subgraph", "expression"]);
await offers("config of llm", graph + "llm\n    config:\n      |", ["prompt", "output_schema", "tools"]);
await offers("config of http", graph + "http\n    config:\n      |", ["url", "method"]);
await offers("keys of an edge", graph + "router\nedges:\n  - from: a\n    |", ["to", "condition", "route"]);
await offers("reducers", "name: g\nchannels:\n  a:\n    reducer: |", ["append", "sum"]);
await finds("mistakes", graph + "llm\n    config:\n      promt: x\n    conf: 1\n", ["promt", "conf"]);

server.kill();
process.exit(failed === 0 ? 0 : 1);
