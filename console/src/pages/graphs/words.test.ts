import { expect, it } from 'vitest';
import { schemaWords } from './words';

it('finds keys and words at any depth', () => {
  const schema = { properties: { nodes: { items: { $defs: {}, properties: { type: { enum: ['llm', 1] }, id: { const: 'x' } } } } } };
  expect(schemaWords(schema)).toEqual(['id', 'llm', 'nodes', 'type', 'x']);
});
