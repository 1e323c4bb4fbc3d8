// Starts the model, and a server in front of it: the service under test, or LangGraph's own (reference/).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { startModel } from './model.mjs';

const GRAPHS = join(import.meta.dirname, 'graphs');

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** A server that can be killed and started again on the same port and folder. */
class Server {
  constructor(kind, folder, command, environment, ready) {
    Object.assign(this, { kind, folder, command, environment, ready });
  }

  async start() {
    const log = createWriteStream(join(this.folder, 'server.log'), { flags: 'a' });
    await once(log, 'open');
    const [program, ...parameters] = this.command;
    this.process = spawn(program, parameters, { cwd: this.folder, env: { ...process.env, ...this.environment }, stdio: ['ignore', log, log] });
    const until = Date.now() + 120_000;
    while (!(await fetch(this.ready).then((it) => it.ok, () => false))) {
      if (this.process.exitCode !== null || Date.now() > until) throw new Error(`the server does not start: see ${this.folder}/server.log`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return this;
  }

  async end(signal) {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.kill(signal);
    await ended;
  }

  kill() {
    return this.end('SIGKILL');
  }

  stop() {
    return this.end(this.kind === 'reference' ? 'SIGKILL' : 'SIGTERM');
  }
}

/** @param command of the service under test; without one LangGraph's own server is started */
export async function startServer({ command, folder, model, environment = {} }) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const management = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const common = { MODEL_URL: model.url, MODEL_KEY: 'none', SERVER_PORT: String(port), ...environment };
  if (!command) {
    const server = new Server('reference', folder, ['node', join(import.meta.dirname, 'reference/serve.mjs')], common, `${url}/ok`);
    server.url = url;
    return server.start();
  }
  const settings = { MANAGEMENT_SERVER_PORT: String(management), SPRING_CONFIG_ADDITIONAL_LOCATION: `file:${GRAPHS}/application.yaml`, SUPERSTEP_CORS_ORIGINS: '*' };
  const server = new Server('superstep', folder, command, { ...common, ...settings }, `http://127.0.0.1:${management}/actuator/health/readiness`);
  server.url = `${url}/langgraph`;
  server.v1 = url;
  await server.start();
  // the graph within comes before the one that names it
  for (const file of readdirSync(GRAPHS).filter((it) => it !== 'application.yaml').sort((a, b) => (a === 'outer.yaml') - (b === 'outer.yaml'))) {
    const answer = await fetch(`${url}/v1/graphs`, { method: 'POST', headers: { 'content-type': 'application/yaml' }, body: readFileSync(join(GRAPHS, file)) });
    if (!answer.ok) throw new Error(`${file}: ${await answer.text()}`);
  }
  return server;
}

/** In front of a server that comes and goes: connections wait until it is there, and break when it goes. */
export async function startGate(url) {
  const { port } = new URL(url);
  const sockets = new Set();
  const gate = createServer((client) => {
    sockets.add(client);
    let upstream;
    client.on('error', () => {});
    client.on('close', () => (sockets.delete(client), upstream?.destroy()));
    client.pause();
    const reach = () => {
      upstream = connect(Number(port), '127.0.0.1');
      let reached = false;
      upstream.on('connect', () => {
        reached = true;
        client.pipe(upstream).pipe(client);
      });
      upstream.on('error', () => {});
      upstream.on('close', () => (reached ? client.destroy() : !client.destroyed && setTimeout(reach, 50)));
    };
    reach();
  }).listen(0, '127.0.0.1');
  await once(gate, 'listening');
  return {
    url: url.replace(`:${port}`, `:${gate.address().port}`),
    close() {
      sockets.forEach((it) => it.destroy());
      gate.close();
    },
  };
}

/** What SERVICE_COMMAND says, a JSON list; undefined: LangGraph's own server. */
export const serviceCommand = () => process.env.SERVICE_COMMAND && JSON.parse(process.env.SERVICE_COMMAND);

export { startModel };
