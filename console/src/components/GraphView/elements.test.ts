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

  it('leads to the end from a node that leads nowhere', () => {
    expect(edge('sum', '__end__')).toHaveLength(1);
    expect(edge('work', '__end__')).toHaveLength(0);
  });

  it('begins with the first node if no edge says otherwise', () => {
    const short = { name: 'h', nodes: [{ id: 'a', type: 'expression' }] } as Schemas['GraphDefinition'];
    expect(toElements(short).edges.map((it) => [it.source, it.target])).toContainEqual(['__start__', 'a']);
  });
});
