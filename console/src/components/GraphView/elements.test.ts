import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../api/client';
import { toElements, type Drawable } from './elements';

const definition = {
  name: 'g',
  nodes: [
    { id: 'plan', type: 'expression', targets: ['work'], if_empty: 'sum' },
    { id: 'work', type: 'http' },
    { id: 'check', type: 'human' },
    { id: 'sum', type: 'expression' },
  ],
  edges: [
    { from: ['__start__'], to: ['plan', 'check'] },
    { from: ['work', 'check'], to: ['sum'], join: 'any' },
    { from: ['check'], route: 'state.kind', route_map: { good: 'sum', bad: 'plan' } },
    { from: ['work'], to: ['plan'], type: 'error', error_codes: ['http_500'] },
  ],
} as Schemas['GraphDefinition'];

function edge(source: string, target: string) {
  return toElements(definition).edges.filter((it) => it.source === source && it.target === target);
}

function ids(graph: Drawable, ...unfolded: string[]) {
  return toElements(graph, { ids: new Set(unfolded), stored: new Map() }).nodes.map((node) => node.id);
}

describe('toElements', () => {
  it('draws every node, the start first and the end last', () => {
    expect(toElements(definition).nodes.filter((it) => it.kind !== 'join').map((node) => node.id)).toEqual(['__start__', 'plan', 'work', 'check', 'sum', '__end__']);
  });

  it('draws a join as a node of its own, with its mode', () => {
    const join = toElements(definition).nodes.filter((node) => node.kind === 'join');
    expect(join).toMatchObject([{ id: 'join 1', label: 'join any' }]);
    expect(edge('work', 'join 1')).toHaveLength(1);
    expect(edge('check', 'join 1')).toHaveLength(1);
    expect(edge('join 1', 'sum')).toHaveLength(1);
    expect(edge('work', 'sum')).toEqual([]);
  });

  it('says what takes an edge: error codes, keys of routes, dispatches', () => {
    expect(edge('work', 'plan')[0]).toMatchObject({ label: 'error http_500', kind: 'error' });
    expect(edge('check', 'plan')[0]).toMatchObject({ label: 'bad', kind: 'route' });
    expect(edge('plan', 'work')[0]).toMatchObject({ label: 'dispatch', kind: 'dispatch' });
    expect(edge('plan', 'sum')[0]?.label).toBe('if empty');
  });

  it('leads to the end from a node whose success leads nowhere', () => {
    expect(edge('sum', '__end__')).toHaveLength(1);
    expect(edge('work', '__end__')).toHaveLength(0);
    const failing = { nodes: [{ id: 'a', type: 'http' }, { id: 'b', type: 'fail' }], edges: [{ from: ['a'], to: ['b'], type: 'error' }] };
    const pairs = toElements(failing as unknown as Drawable).edges.map((it) => [it.source, it.target]);
    expect(pairs).toContainEqual(['a', '__end__']);
  });

  it('names all keys of a route that lead to one node, and cuts what is long', () => {
    const routed = {
      nodes: [{ id: 'a', type: 'router' }, { id: 'b', type: 'llm' }],
      edges: [
        { from: ['a'], route: 'state.kind', route_map: { x: 'b', y: 'b' } },
        { from: ['b'], to: ['a'], condition: 'state.a == 1'.repeat(20) },
      ],
    } as unknown as Drawable;
    const [keys, long] = toElements(routed).edges;
    expect(keys?.label).toBe('x, y');
    expect(long?.label).toHaveLength(36);
    expect(long?.title).toHaveLength(240);
  });

  it('begins with the first node if no edge says otherwise', () => {
    const short = { nodes: [{ id: 'a', type: 'expression' }] } as Drawable;
    expect(toElements(short).edges.map((it) => [it.source, it.target])).toContainEqual(['__start__', 'a']);
  });

  it('leaves out edges to what does not exist', () => {
    const broken = { nodes: [{ id: 'a', type: 'expression' }], edges: [{ from: ['a'], to: ['nowhere'] }] } as Drawable;
    expect(toElements(broken).edges.map((it) => it.target)).not.toContain('nowhere');
  });
});

describe('subgraphs', () => {
  const nested = {
    nodes: [
      { id: 'read', type: 'subgraph', config: { graph: '#document' } },
      { id: 'tell', type: 'subgraph', config: { graph: 'mail', version: 3 } },
    ],
    edges: [{ from: ['read'], to: ['tell'] }],
    graphs: {
      document: { nodes: [{ id: 'load', type: 'http' }, { id: 'deeper', type: 'subgraph', config: { graph: '#page' } }], edges: [{ from: ['load'], to: ['deeper'] }] },
      page: { nodes: [{ id: 'cut', type: 'expression' }] },
    },
  } as Drawable;

  it('are folded at first', () => {
    expect(ids(nested)).toEqual(['__start__', 'read', 'tell', '__end__']);
    expect(toElements(nested).nodes.map((it) => it.reference?.graph)).toEqual([undefined, '#document', 'mail', undefined]);
  });

  it('unfold in place, one within the other', () => {
    expect(ids(nested, 'read', 'read/deeper')).toEqual([
      '__start__', 'read', 'read/__start__', 'read/load', 'read/deeper', 'read/deeper/__start__', 'read/deeper/cut', 'read/deeper/__end__', 'read/__end__', 'tell', '__end__',
    ]);
    const { nodes, edges } = toElements(nested, { ids: new Set(['read']), stored: new Map() });
    expect(nodes.find((it) => it.id === 'read')?.kind).toBe('group');
    expect(nodes.find((it) => it.id === 'read/load')).toMatchObject({ parent: 'read', path: ['read'], label: 'load' });
    expect(edges.filter((it) => it.parent === 'read').map((it) => [it.source, it.target])).toEqual([
      ['read/load', 'read/deeper'],
      ['read/deeper', 'read/__end__'],
      ['read/__start__', 'read/load'],
    ]);
  });

  it('of another definition unfold once it is there', () => {
    expect(ids(nested, 'tell')).toEqual(['__start__', 'read', 'tell', '__end__']);
    const mail = { nodes: [{ id: 'send', type: 'http' }] } as Drawable;
    const drawn = toElements(nested, { ids: new Set(['tell']), stored: new Map([['mail@3', mail]]) });
    expect(drawn.nodes.map((it) => it.id)).toContain('tell/send');
  });

  it('that only a run can name stay folded', () => {
    const computed = { nodes: [{ id: 'a', type: 'subgraph', config: { graph: '#missing' } }] } as Drawable;
    expect(toElements(computed, { ids: new Set(['a']), stored: new Map() }).nodes.find((it) => it.id === 'a')).toMatchObject({ kind: 'step', reference: undefined });
  });
});
