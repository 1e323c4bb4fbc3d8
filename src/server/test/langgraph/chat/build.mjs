// Builds the chat as `create-agent-chat-app` would put it down: the files of its Vite template, as they are.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const here = import.meta.dirname;
const app = join(here, 'app');
rmSync(app, { recursive: true, force: true });
cpSync(join(here, 'node_modules/create-agent-chat-app/templates/vite'), app, { recursive: true });
process.chdir(app);
await build({ root: app, logLevel: 'warn', build: { reportCompressedSize: false, chunkSizeWarningLimit: 10_000 } });
