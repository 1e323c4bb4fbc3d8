// LangGraph's own in-memory Agent Server over the graphs beside this file.
import { startServer } from '@langchain/langgraph-api/server';

const graphs = Object.fromEntries(['agent', 'steps', 'asks', 'fans', 'outer'].map((name) => [name, `${import.meta.dirname}/graphs.mjs:${name}`]));
const server = await startServer({ port: Number(process.env.SERVER_PORT), nWorkers: 10, host: '127.0.0.1', cwd: process.cwd(), graphs });
console.log(`serves at ${server.host}`);
