import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { fields, initial, items, SchemaForm } from './SchemaForm';

it('begins with defaults and unticked boxes', () => {
  const schema = { type: 'object', properties: { ok: { type: 'boolean' }, why: { type: 'string' }, n: { type: 'integer', default: 3 } } };
  expect(initial(schema)).toEqual({ ok: false, n: 3 });
  expect(fields(schema)?.map(([name]) => name)).toEqual(['ok', 'why', 'n']);
});

it('begins with defaults of what is nested, and leaves out what has none', () => {
  const inner = { type: 'object', properties: { n: { default: 1 }, free: { type: 'string' } } };
  expect(initial({ properties: { inner, empty: { properties: { free: { type: 'string' } } } } })).toEqual({ inner: { n: 1 } });
});

it('has no fields for what is no object', () => {
  expect(fields({ type: 'string' })).toBeUndefined();
  expect(fields(undefined)).toBeUndefined();
  expect(initial(undefined)).toBeUndefined();
});

it('knows lists whose items have a schema', () => {
  expect(items({ type: 'array', items: { type: 'string' } })).toEqual({ type: 'string' });
  expect(items({ type: 'array' })).toBeUndefined();
  expect(items({ type: 'object', items: {} })).toBeUndefined();
});

describe('the form', () => {
  beforeAll(() => {
    vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
    // What fields that grow look at, and the DOM of these tests lacks.
    Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  });
  afterEach(cleanup);

  function show(schema: unknown): { last: () => unknown } {
    let last: unknown;
    function Form() {
      const [value, setValue] = useState<unknown>(() => initial(schema) ?? {});
      last = value;
      return <SchemaForm schema={schema} label="Input" value={value} onChange={setValue} />;
    }
    render(
      <MantineProvider>
        <Form />
      </MantineProvider>,
    );
    return { last: () => last };
  }

  it('has fields for what is nested', () => {
    const form = show({ properties: { person: { type: 'object', properties: { name: { type: 'string' } } } } });
    fireEvent.change(screen.getByLabelText('name'), { target: { value: 'Ada' } });
    expect(form.last()).toEqual({ person: { name: 'Ada' } });
  });

  it('adds and removes items of a list', () => {
    const form = show({ properties: { topics: { type: 'array', items: { type: 'string' } } } });
    fireEvent.click(screen.getByRole('button', { name: 'Add to topics' }));
    fireEvent.click(screen.getByRole('button', { name: 'Add to topics' }));
    fireEvent.change(screen.getByLabelText('topics 2'), { target: { value: 'owls' } });
    expect(form.last()).toEqual({ topics: ['', 'owls'] });
    fireEvent.click(screen.getByRole('button', { name: 'Remove topics 1' }));
    expect(form.last()).toEqual({ topics: ['owls'] });
  });

  it('takes JSON where the schema says nothing', () => {
    const form = show({ properties: { anything: {} } });
    const field = screen.getByLabelText('anything (JSON)');
    fireEvent.change(field, { target: { value: '{"a": [1]}' } });
    expect(form.last()).toEqual({ anything: { a: [1] } });
    fireEvent.change(field, { target: { value: '{"a": ' } });
    expect(form.last(), 'as it was').toEqual({ anything: { a: [1] } });
  });
});
