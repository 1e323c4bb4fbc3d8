import { describe, expect, it } from 'vitest';
import { kept, toolCalls, trace } from './toolCalls';

const asks = { update: { messages: [{ id: 'm1', role: 'assistant', tool_calls: [{ id: 'c1', name: 'weather', arguments: { city: 'Paris' } }, { id: 'c2', name: 'time', arguments: '{' }] }] } };
const answers = { update: { messages: [{ id: 'm2', role: 'tool', tool_call_id: 'c1', name: 'weather', content: 'sunny' }, { id: 'm3', role: 'tool', tool_call_id: 'c2', name: 'time', content: 'no such tool', is_error: true }] } };

function task(superstep: number, node: string, change: object) {
  return { task_id: `${superstep}:${node}`, node, superstep, trace: trace(change) };
}

describe('toolCalls', () => {
  it('joins what a model asks for with what the tool says', () => {
    const calls = toolCalls([task(2, 'tools', answers), task(1, 'llm', asks)]);
    expect(calls.map(({ name, arguments: given, status, result, asker, runner }) => [name, given, status, result, asker?.task_id, runner?.task_id])).toEqual([
      ['weather', { city: 'Paris' }, 'done', 'sunny', '1:llm', '2:tools'],
      ['time', '{', 'failed', 'no such tool', '1:llm', '2:tools'],
    ]);
  });

  it('shows calls that have no result yet, and results of calls that another run asked for', () => {
    expect(toolCalls([task(1, 'llm', asks)]).map((call) => call.status)).toEqual(['open', 'open']);
    expect(toolCalls([task(1, 'tools', answers)])[0]).toMatchObject({ name: 'weather', arguments: undefined, result: 'sunny' });
  });

  it('gives each of two calls with one id its own result', () => {
    const again = (content: string) => ({ update: { messages: [{ role: 'tool', tool_call_id: 'c1', content }] } });
    const later = { update: { messages: [{ ...asks.update.messages[0], id: 'm9' }] } };
    const calls = toolCalls([task(4, 'tools', again('second')), task(3, 'llm', later), task(2, 'tools', again('first')), task(1, 'llm', asks)]);
    expect(calls.filter((call) => call.id === 'c1').map((call) => call.result)).toEqual(['first', 'second']);
  });
});

it('counts messages that are written again once', () => {
  const all = { overwrite: { messages: [...asks.update.messages, ...answers.update.messages] } };
  const calls = toolCalls([task(3, 'shorten', all), task(2, 'tools', answers), task(1, 'llm', asks)]);
  expect(calls.map(({ name, asker, runner }) => [name, asker?.task_id, runner?.task_id])).toEqual([
    ['weather', '1:llm', '2:tools'],
    ['time', '1:llm', '2:tools'],
  ]);
});

describe('trace', () => {
  it('reads single messages, overwritten channels, and mirrored messages once', () => {
    const message = asks.update.messages[0];
    expect(trace({ update: { last: message }, overwrite: { full: [message] } })?.asked).toHaveLength(2);
  });

  it('finds nothing in what is no message', () => {
    expect(trace({ update: { a: [1, null, 'x', { role: 'user', content: 'hi' }] } })).toBeUndefined();
    expect(trace(undefined)).toBeUndefined();
  });
});

it('keeps the beginning of what is large', () => {
  expect(kept({ a: 1 })).toEqual({ a: 1 });
  expect(String(kept('x'.repeat(100_000))).length).toBeLessThan(4_000);
});
