import { expect, it } from 'vitest';
import { fields, initial } from './SchemaForm';

it('begins with defaults and unticked boxes', () => {
  const schema = { type: 'object', properties: { ok: { type: 'boolean' }, why: { type: 'string' }, n: { type: 'integer', default: 3 } } };
  expect(initial(schema)).toEqual({ ok: false, n: 3 });
  expect(fields(schema)?.map(([name]) => name)).toEqual(['ok', 'why', 'n']);
});

it('has no fields for what is no object', () => {
  expect(fields({ type: 'string' })).toBeUndefined();
  expect(fields(undefined)).toBeUndefined();
  expect(initial(undefined)).toBeUndefined();
});
