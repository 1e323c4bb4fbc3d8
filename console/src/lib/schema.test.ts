import { expect, it } from 'vitest';
import { fields, initial, isExact, items, member, missing, withMember } from './schema';

it('begins with defaults and, where they must be answered, unticked boxes', () => {
  const schema = { type: 'object', required: ['ok'], properties: { ok: { type: 'boolean' }, maybe: { type: 'boolean' }, why: { type: 'string' }, n: { type: 'integer', default: 3 } } };
  expect(initial(schema)).toEqual({ ok: false, n: 3 });
  expect(fields(schema)?.map(([name]) => name)).toEqual(['ok', 'maybe', 'why', 'n']);
});

it('begins with what is nested where it must be there, or is whole by its defaults', () => {
  const whole = { type: 'object', properties: { n: { default: 1 }, free: { type: 'string' } } };
  const needs = { type: 'object', required: ['name'], properties: { n: { default: 1 }, name: { type: 'string' } } };
  expect(initial({ required: ['must'], properties: { whole, needs, must: needs, empty: { properties: { free: { type: 'string' } } } } })).toEqual({ whole: { n: 1 }, must: { n: 1 } });
});

it('has no fields for what is no object', () => {
  expect(fields({ type: 'string' })).toBeUndefined();
  expect(fields({ type: ['object', 'null'], properties: {} }), 'null is an answer, too').toBeUndefined();
  expect(fields(undefined)).toBeUndefined();
  expect(initial(undefined)).toBeUndefined();
});

it('knows lists whose items have a schema', () => {
  expect(items({ type: 'array', items: { type: 'string' } })).toEqual({ type: 'string' });
  expect(items({ type: 'array' })).toBeUndefined();
  expect(items({ type: 'object', items: {} })).toBeUndefined();
});

it('says what is needed, in objects that are there', () => {
  const person = { type: 'object', required: ['name'], properties: { name: { type: 'string', title: 'Name' } } };
  const schema = { required: ['to'], properties: { to: { type: 'string' }, copy: person, all: { type: 'array', items: person } } };
  expect(missing(schema, {})).toEqual(['to']);
  expect(missing(schema, { to: '', copy: {}, all: [{ name: 'Ada' }, {}] })).toEqual(['Name', 'Name']);
});

it('takes names as names, whatever they are', () => {
  const [proto, constructed] = [JSON.parse('{"__proto__": 1}') as unknown, 'constructor'];
  expect(member(proto, '__proto__')).toBe(1);
  expect(member({}, constructed)).toBeUndefined();
  expect(JSON.stringify(withMember({}, '__proto__', { a: 1 }))).toBe('{"__proto__":{"a":1}}');
});

it('knows numbers that a browser has rounded', () => {
  expect(isExact({ a: [1, 0.1, -5, 1e-7], b: null })).toBe(true);
  expect(isExact({ a: [{ id: JSON.parse('12345678901234567890') as number }] })).toBe(false);
});
