import { sizeOf, preview } from './size';
import type { Schemas } from '../api/client';

/** A model's wish to call a tool, as its message has it. */
export interface AskedCall {
  id: string;
  /** The id of the message. */
  message?: unknown;
  name: string;
  arguments: unknown;
}

/** What came back for a call. */
export interface ToolResult {
  id: string;
  /** The id of the message. */
  message?: unknown;
  name: string;
  content: unknown;
  isError: boolean;
}

/** What the messages that a task wrote say of tools and tokens. */
export interface Trace {
  asked: AskedCall[];
  results: ToolResult[];
}

/** A call of a tool: who asked, who ran it, with what, and what came of it. */
export interface ToolCall extends AskedCall {
  status: 'open' | 'done' | 'failed';
  superstep: number;
  asker?: TaskPlace;
  runner?: TaskPlace;
  result?: unknown;
}

export interface TaskPlace {
  task_id: string;
  node: string;
  superstep: number;
}

type Fields = Record<string, unknown>;

const valueMax = 4_000;
/** Of the calls, and of the results, that one task has written. */
const entriesMax = 32;

/** A value that is small enough to be kept for each of ten thousand tasks, or the beginning of it. */
export function kept(value: unknown): unknown {
  return sizeOf(value, valueMax) <= valueMax ? value : `${preview(value, valueMax / 2).text}…`;
}

/** The tool calls and results among the messages of a change; undefined if it has none. */
export function trace(change: Schemas['Change'] | undefined): Trace | undefined {
  const found: Trace = { asked: [], results: [] };
  const seen = new Set<unknown>();
  for (const written of [change?.update, change?.overwrite]) {
    for (const value of Object.values(written ?? {})) {
      for (const message of Array.isArray(value) ? value : [value]) read(message, found, seen);
    }
  }
  return found.asked.length || found.results.length ? found : undefined;
}

/** A message that stands in two channels, as a mirrored one does, counts once. */
function read(message: unknown, found: Trace, seen: Set<unknown>) {
  if (typeof message !== 'object' || message === null) return;
  const { id, role, tool_calls: calls, tool_call_id: of, name, content, is_error: isError } = message as Fields;
  if (id !== undefined) {
    if (seen.has(id)) return;
    seen.add(id);
  }
  if (role === 'assistant' && Array.isArray(calls)) {
    for (const call of calls as Fields[]) {
      if (call && found.asked.length < entriesMax) found.asked.push({ id: String(call.id ?? ''), message: id, name: String(call.name ?? ''), arguments: kept(call.arguments) });
    }
  } else if (role === 'tool' && found.results.length < entriesMax) {
    found.results.push({ id: String(of ?? ''), message: id, name: String(name ?? ''), content: kept(content), isError: isError === true });
  }
}

interface Traced extends TaskPlace {
  trace?: Trace;
}

/** All tool calls of a run, oldest first, each with its result; `tasks` are newest superstep first, as the API lists them. */
export function toolCalls(tasks: Traced[]): ToolCall[] {
  const calls: ToolCall[] = [];
  const open = new Map<string, ToolCall[]>();
  const told = new Map<unknown, string>();
  // A node that writes messages again, as one that shortens them does, asks for nothing and answers nothing.
  const news = ({ message }: { message?: unknown }, task: Traced) => {
    if (message === undefined) return true;
    if (!told.has(message)) told.set(message, task.task_id);
    return told.get(message) === task.task_id;
  };
  for (const task of oldestFirst(tasks)) {
    for (const asked of task.trace!.asked.filter((it) => news(it, task))) {
      const call: ToolCall = { ...asked, status: 'open', superstep: task.superstep, asker: task };
      calls.push(call);
      open.set(asked.id, [...(open.get(asked.id) ?? []), call]);
    }
    for (const { id, name, content, isError } of task.trace!.results.filter((it) => news(it, task))) {
      // Providers use the ids of calls again in later messages.
      let call = open.get(id)?.shift();
      if (!call) {
        call = { id, name, arguments: undefined, status: 'open', superstep: task.superstep };
        calls.push(call);
      }
      call.status = isError ? 'failed' : 'done';
      call.result = content;
      call.runner = task;
    }
  }
  return calls;
}

function oldestFirst(tasks: Traced[]): Traced[] {
  return tasks.filter((task) => task.trace).map((task, index) => ({ task, index })).sort((a, b) => a.task.superstep - b.task.superstep || a.index - b.index).map(({ task }) => task);
}
