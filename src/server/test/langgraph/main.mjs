// Runs the files under clients/ (or those that the command line names) against one server:
//   SERVICE_COMMAND='["java", "-jar", "…"]' node main.mjs     the service under test; SERVICE_ENVIRONMENT: more variables, as JSON
//   node main.mjs sdk                                         LangGraph's own server
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { serviceCommand, startModel, startServer } from './harness.mjs';

const wanted = process.argv.slice(2);
const clients = join(import.meta.dirname, 'clients');
const files = readdirSync(clients).filter((it) => it.endsWith('.test.mjs') && (!wanted.length || wanted.includes(it.replace('.test.mjs', ''))));

const model = await startModel();
const folder = process.env.SERVER_FOLDER ?? join(import.meta.dirname, 'server');
const environment = JSON.parse(process.env.SERVICE_ENVIRONMENT ?? '{}');
const server = await startServer({ command: serviceCommand(), folder, model, environment });
let code = 1;
try {
  const tests = spawn('node', ['--test', '--test-concurrency=2', '--test-reporter=spec', ...files.map((it) => join(clients, it))], {
    stdio: 'inherit',
    env: { ...process.env, LANGGRAPH_URL: server.url, LANGGRAPH_SERVER: server.kind, MODEL_URL: model.url },
  });
  [code] = await once(tests, 'exit');
} finally {
  await server.stop();
  model.close();
}
process.exit(code ?? 1);
