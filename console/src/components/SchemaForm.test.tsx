import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { initial } from '../lib/schema';
import { SchemaForm } from './SchemaForm';

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
    expect(form.last(), 'what is optional is left out').toEqual({});
    fireEvent.click(screen.getByRole('button', { name: 'Add to person' }));
    fireEvent.change(screen.getByLabelText('name'), { target: { value: 'Ada' } });
    expect(form.last()).toEqual({ person: { name: 'Ada' } });
    fireEvent.click(screen.getByRole('button', { name: 'Leave out person' }));
    expect(form.last()).toEqual({});
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
