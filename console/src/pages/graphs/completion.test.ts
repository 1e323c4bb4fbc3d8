import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { complete, type Names } from './completion';

const schema = JSON.parse(readFileSync('../docs/graph.schema.json', 'utf8'));
const names: Names = {
  tools: [{ name: 'search' }],
  models: [{ name: 'small', description: 'A model for tests that answers what it is told' }],
  reducers: [{ name: 'append', description: 'Adds items to a list' }],
  functions: [{ name: 'score' }],
  graphs: [{ name: 'mail' }],
  transforms: [{ name: 'mask' }],
};

/** What is offered where `^` stands. */
function at(marked: string) {
  return complete(schema, names, marked.replace('^', ''), marked.indexOf('^'));
}

function labels(marked: string): string[] {
  return at(marked)?.options.map((it) => it.label) ?? [];
}

const graph = `name: a
channels:
  findings: { reducer: append }
input: { schema: { type: object, properties: { topic: { type: string } } } }
nodes:
  - id: plan
    type: llm
    config: { model: small }
  - id: work
    type: expression
`;

describe('keys', () => {
  it('are those of the language at the beginning of a line', () => {
    const found = labels(`${graph}^`);
    expect(found).toEqual(expect.arrayContaining(['edges', 'limits', 'prompts']));
    expect(found).not.toContain('config');
    expect(found, 'what is there already').not.toContain('nodes');
  });

  it('are those of a node within a node, without those that it has', () => {
    const found = labels(`${graph}    ^`);
    expect(found).toEqual(expect.arrayContaining(['config', 'next', 'retry', 'timeout']));
    expect(found).not.toContain('type');
    expect(found).not.toContain('edges');
  });

  it('of a config depend on the type of the node', () => {
    const inExpression = labels(`${graph}    config:\n      ^`);
    expect(inExpression).toEqual(expect.arrayContaining(['update', 'goto', 'dispatch']));
    expect(inExpression).not.toContain('model');
    const inModel = labels('nodes:\n  - id: a\n    type: llm\n    config:\n      prompt: x\n      ^\n    next: b\n');
    expect(inModel).toEqual(expect.arrayContaining(['model', 'tools', 'output_to']));
    expect(inModel).not.toContain('prompt');
  });

  it('are offered in braces, in a new item, and before another line', () => {
    expect(labels('nodes:\n  - { id: a, ^ }\n')).toContain('type');
    expect(labels('nodes:\n  - ^\n  - id: b\n')).toEqual(expect.arrayContaining(['id', 'type']));
    expect(labels('nodes:\n  - id: a\n    ty^\n    config: {}\n')).toContain('type');
  });

  it('of updates are channels', () => {
    expect(labels(`${graph}    config:\n      update:\n        ^`)).toEqual(['findings', 'topic']);
  });

  it('bring their colon, unless it is there', () => {
    const option = (marked: string) => at(marked)?.options.find((it) => it.label === 'type');
    expect(option('nodes:\n  - id: a\n    ty^\n')).toMatchObject({ apply: 'type: ', detail: 'required' });
    expect(option('nodes:\n  - id: a\n    ty^: llm\n')?.apply).toBe('type');
    expect(at('nodes:\n  - id: a\n    ty^\n')?.from).toBe('nodes:\n  - id: a\n    '.length);
  });
});

describe('values', () => {
  it('are the words that the schema knows', () => {
    expect(labels('nodes:\n  - id: a\n    type: ^\n')).toEqual(expect.arrayContaining(['llm', 'human', 'subgraph']));
    expect(labels('nodes:\n  - id: a\n    on_error: c^\n')).toEqual(['fail', 'continue']);
    expect(labels('nodes:\n  - id: a\n    defer: ^\n')).toEqual(['true', 'false']);
  });

  it('of edges are the nodes of the graph', () => {
    expect(labels(`${graph}edges:\n  - from: ^\n`)).toEqual(['plan', 'work', '__start__']);
    expect(labels(`${graph}edges:\n  - from: [plan, ^]\n    to: work\n`)).toEqual(['plan', 'work', '__start__']);
    expect(labels(`${graph}edges:\n  - from: plan\n    to:\n      - ^\n`)).toEqual(['plan', 'work', '__end__']);
    expect(labels(`${graph}edges:\n  - from: plan\n    route_map: { good: ^ }\n`)).toEqual(['plan', 'work', '__end__']);
    expect(labels(`${graph}    next: w^`)).toContain('work');
  });

  it('within an inline graph are its nodes', () => {
    const found = labels(`${graph}graphs:\n  inner:\n    nodes:\n      - { id: load, type: http }\n    edges:\n      - { from: ^ }\n`);
    expect(found).toEqual(['load', '__start__']);
  });

  it('are names of this server: models, tools, reducers, functions, graphs', () => {
    expect(labels('nodes:\n  - { id: a, type: llm, config: { model: ^ } }\n')).toEqual(['small']);
    expect(labels('nodes:\n  - { id: a, type: llm, config: { tools: [^] } }\n')).toEqual(['search']);
    expect(labels('channels:\n  x: { reducer: ^ }\n')).toEqual(expect.arrayContaining(['append', 'last_value']));
    expect(labels('nodes:\n  - id: a\n    type: function\n    config:\n      function: ^\n')).toEqual(['score']);
    expect(labels('nodes:\n  - id: a\n    type: subgraph\n    config: { graph: ^ }\ngraphs: { inner: { nodes: [] } }\n')).toEqual(['#inner', 'mail']);
  });

  it('that YAML would misread are quoted', () => {
    const marked = (value: string) => `nodes:\n  - id: a\n    type: subgraph\n    config: { graph: ${value} }\ngraphs: { inner: { nodes: [] } }\n`;
    expect(at(marked('^'))?.options[0]?.apply).toBe('"#inner"');
    expect(at(marked('"^"'))?.options[0]?.apply).toBe('#inner');
  });

  it('of channels are the channels', () => {
    expect(labels(`${graph}output: { channels: [^] }\n`)).toEqual(['findings', 'topic']);
    expect(labels(`nodes:\n  - { id: a, type: llm, config: { output_to: ^ } }\nchannels: { answer: {} }\n`)).toEqual(['answer']);
  });

  it('are not offered for texts that are free', () => {
    expect(labels('description: ^\n')).toEqual([]);
    expect(labels('# nodes: ^\nname: a\n')).toEqual([]);
  });
});

describe('expressions', () => {
  it('are completed before their quote is closed', () => {
    expect(labels('channels: { answer: {} }\nnodes:\n  - id: a\n    type: llm\n    config:\n      prompt: "{{ state.^')).toEqual(['answer']);
  });

  it('know the channels after state., and params and prompts', () => {
    expect(labels(`${graph}edges:\n  - { from: plan, to: work, condition: "state.^" }\n`)).toEqual(['findings', 'topic']);
    expect(labels(`${graph}    config: { update: { findings: "{{ state.fi^ }}" } }\n`)).toEqual(['findings', 'topic']);
    expect(labels('params: { url: {} }\nnodes:\n  - { id: a, type: http, config: { url: "{{ params.^" } }\n')).toEqual(['url']);
    expect(labels('prompts: { greet: hi }\nnodes:\n  - { id: a, type: llm, config: { prompt: "{{ prompts.^ }}" } }\n')).toEqual(['greet']);
  });
});
