import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../api/client';
import { toElements } from './elements';

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

describe('toElements', () => {
  it('draws every node, the start and the end', () => {
    expect(toElements(definition).nodes.map((node) => node.id).sort()).toEqual(['__end__', '__start__', 'check', 'plan', 'sum', 'work']);
  });

  it('says what takes an edge: joins, error codes, keys of routes, dispatches', () => {
    expect(edge('work', 'sum')[0]?.label).toBe('join any');
    expect(edge('work', 'plan')[0]).toMatchObject({ label: 'error http_500', className: 'edge-error' });
    expect(edge('check', 'plan')[0]?.label).toBe('bad');
    expect(edge('plan', 'work')[0]).toMatchObject({ label: 'dispatch', className: 'edge-dispatch' });
    expect(edge('plan', 'sum')[0]?.label).toBe('if empty');
  });

  it('leads to the end from a node whose success leads nowhere', () => {
    expect(edge('sum', '__end__')).toHaveLength(1);
    expect(edge('work', '__end__')).toHaveLength(0);
    const failing = { name: 'f', nodes: [{ id: 'a', type: 'http' }, { id: 'b', type: 'fail' }], edges: [{ from: ['a'], to: ['b'], type: 'error' }] };
    const pairs = toElements(failing as Schemas['GraphDefinition']).edges.map((it) => [it.source, it.target]);
    expect(pairs).toContainEqual(['a', '__end__']);
  });

  it('names all keys of a route that lead to one node, and cuts what is long', () => {
    const routed = {
      name: 'r',
      nodes: [{ id: 'a', type: 'router' }, { id: 'b', type: 'llm' }],
      edges: [
        { from: ['a'], route: 'state.kind', route_map: { x: 'b', y: 'b' } },
        { from: ['b'], to: ['a'], condition: 'state.a == 1'.repeat(20) },
      ],
    } as Schemas['GraphDefinition'];
    const [keys, long] = toElements(routed).edges;
    expect(keys?.label).toBe('x, y');
    expect(String(long?.label)).toHaveLength(40);
  });

  it('begins with the first node if no edge says otherwise', () => {
    const short = { name: 'h', nodes: [{ id: 'a', type: 'expression' }] } as Schemas['GraphDefinition'];
    expect(toElements(short).edges.map((it) => [it.source, it.target])).toContainEqual(['__start__', 'a']);
  });
});
