import { Checkbox, JsonInput, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';

type Schema = Record<string, unknown>;

interface Props {
  schema: unknown;
  label: string;
  value: unknown;
  onChange: (value: unknown) => void;
}

function object(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}

/** The fields of an object schema that a form can show; undefined: it needs JSON. */
export function fields(schema: unknown): [string, Schema][] | undefined {
  const properties = object(schema).properties;
  return properties ? Object.entries(object(properties)).map(([name, field]) => [name, object(field)]) : undefined;
}

/** A value made by hand: fields where its JSON Schema has them, JSON elsewhere. The service checks it. */
export function SchemaForm({ schema, label, value, onChange }: Props) {
  const parts = fields(schema);
  if (!parts) return <Field schema={object(schema)} label={label} value={value} onChange={onChange} required={false} />;
  const whole = object(value);
  const required = object(schema).required;
  return (
    <Stack gap="sm" role="group" aria-label={label}>
      {parts.map(([name, field]) => (
        <Field
          key={name}
          schema={field}
          label={typeof field.title === 'string' ? field.title : name}
          value={whole[name]}
          required={Array.isArray(required) && required.includes(name)}
          onChange={(part) => {
            const next = { ...whole };
            if (part === undefined) delete next[name];
            else next[name] = part;
            onChange(next);
          }}
        />
      ))}
    </Stack>
  );
}

function Field({ schema, label, value, onChange, required }: { schema: Schema; label: string; value: unknown; onChange: (value: unknown) => void; required: boolean }) {
  const description = typeof schema.description === 'string' ? schema.description : undefined;
  const common = { label, description, required };
  if (Array.isArray(schema.enum)) {
    const options = schema.enum.map((option) => JSON.stringify(option));
    return <Select {...common} data={options} value={value === undefined ? null : JSON.stringify(value)} onChange={(text) => onChange(text === null ? undefined : JSON.parse(text))} />;
  }
  switch (schema.type) {
    case 'boolean':
      return <Checkbox label={label} description={description} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />;
    case 'integer':
    case 'number':
      return <NumberInput {...common} value={typeof value === 'number' ? value : ''} allowDecimal={schema.type === 'number'} onChange={(number) => onChange(number === '' ? undefined : Number(number))} />;
    case 'string':
      return typeof schema.maxLength === 'number' && schema.maxLength <= 80 ? (
        <TextInput {...common} value={typeof value === 'string' ? value : ''} onChange={(event) => onChange(event.currentTarget.value)} />
      ) : (
        <Textarea {...common} autosize minRows={1} maxRows={12} value={typeof value === 'string' ? value : ''} onChange={(event) => onChange(event.currentTarget.value)} />
      );
    default:
      return <JsonField {...common} value={value} onChange={onChange} />;
  }
}

function JsonField({ label, description, required, value, onChange }: { label: string; description?: string; required: boolean; value: unknown; onChange: (value: unknown) => void }) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2));
  return (
    <JsonInput
      label={`${label} (JSON)`}
      description={description}
      required={required}
      validationError="This is not JSON"
      autosize
      minRows={2}
      maxRows={16}
      value={text}
      onChange={(next) => {
        setText(next);
        try {
          onChange(next.trim() === '' ? undefined : JSON.parse(next));
        } catch {
          // It is being written; the field says so.
        }
      }}
    />
  );
}

/** What a form begins with: the schema's defaults, and `false` for what is ticked. */
export function initial(schema: unknown): unknown {
  const parts = fields(schema);
  if (!parts) return object(schema).default;
  const value: Schema = {};
  for (const [name, field] of parts) {
    if ('default' in field) value[name] = field.default;
    else if (field.type === 'boolean') value[name] = false;
  }
  return value;
}
