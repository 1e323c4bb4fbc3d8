import { expect, it } from 'vitest';
import type { Schemas } from '../../api/client';
import { filtersOf, request } from './preview';

const definition = {
  nodes: [
    { id: 'find', type: 'http' },
    { id: 'think', type: 'llm', required_context: ['llm.model'], config: { prompt: 'x' } },
  ],
  edges: [
    { id: 'found', from: ['find'], to: ['think'], context_filter: { type: 'selective', exclude_patterns: ['*.api_key'] } },
    { from: ['think'], route: 'state.next', route_map: { again: 'think', back: 'find' } },
  ],
} as unknown as Schemas['GraphDefinition'];

it('takes from a graph what filters the context of a node', () => {
  expect(filtersOf(definition, 'think')).toEqual({
    edges: [{ id: 'found', context_filter: { type: 'selective', exclude_patterns: ['*.api_key'] } }, { id: 'think → think' }],
    node: { id: 'think', type: 'llm', required_context: ['llm.model'] },
  });
  expect(filtersOf(definition, 'nobody')).toBeUndefined();
});

it('asks for what the fields say, and leaves out those that are empty', () => {
  expect(request({ context: '{"variables":{"a":1}}', edges: '[]', node: '', scope: ' ' })).toEqual({ context: { variables: { a: 1 } } });
  expect(request({ context: '', edges: '[{"id":"e"}]', node: '{"type":"llm"}', scope: '{"state":{}}' })).toEqual({
    context: {},
    edges: [{ id: 'e' }],
    node: { type: 'llm' },
    scope: { state: {} },
  });
  expect(() => request({ context: '{', edges: '', node: '', scope: '' })).toThrow();
});
