import { Button, Checkbox, Fieldset, Group, JsonInput, NumberInput, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../texts';

type Schema = Record<string, unknown>;

interface Props {
  schema: unknown;
  label: string;
  value: unknown;
  onChange: (value: unknown) => void;
}

interface FieldProps extends Props {
  schema: Schema;
  required: boolean;
}

/** Deeper than this, a form is JSON: nobody fills in more levels by hand. */
const depthMax = 4;
const shortMax = 80;

function object(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}

/** The fields of an object schema that a form can show; undefined: it needs JSON. */
export function fields(schema: unknown): [string, Schema][] | undefined {
  const properties = object(schema).properties;
  return properties ? Object.entries(object(properties)).map(([name, field]) => [name, object(field)]) : undefined;
}

/** The schema of the items of a list that a form can show one by one; undefined: it needs JSON. */
export function items(schema: unknown): Schema | undefined {
  const { type, items: each } = object(schema);
  return type === 'array' && typeof each === 'object' && each !== null ? object(each) : undefined;
}

/** A value made by hand: fields where its JSON Schema has them, JSON elsewhere. The service checks it. */
export function SchemaForm({ schema, label, value, onChange }: Props) {
  if (!fields(schema)) return <Field schema={object(schema)} label={label} value={value} onChange={onChange} required={false} depth={0} />;
  return <Members schema={object(schema)} label={label} value={value} onChange={onChange} depth={0} />;
}

function Members({ schema, label, value, onChange, depth }: Props & { depth: number }) {
  const whole = object(value);
  const { required } = object(schema);
  return (
    <Stack gap="sm" role="group" aria-label={label}>
      {fields(schema)?.map(([name, field]) => (
        <Field
          key={name}
          schema={field}
          label={typeof field.title === 'string' ? field.title : name}
          value={whole[name]}
          required={Array.isArray(required) && required.includes(name)}
          depth={depth + 1}
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

function Field({ schema, label, value, onChange, required, depth }: FieldProps & { depth: number }) {
  const description = typeof schema.description === 'string' ? schema.description : undefined;
  const common = { label, description, required };
  if (Array.isArray(schema.enum)) {
    const options = [...new Set(schema.enum.map((option) => JSON.stringify(option)))];
    return <Select {...common} data={options} value={value === undefined ? null : JSON.stringify(value)} onChange={(text) => onChange(text === null ? undefined : JSON.parse(text))} />;
  }
  if (depth > 0 && depth < depthMax && fields(schema)) {
    return (
      <Fieldset legend={required ? texts.form.required(label) : label}>
        {description && <Text size="sm">{description}</Text>}
        <Members schema={schema} label={label} value={value} onChange={onChange} depth={depth} />
      </Fieldset>
    );
  }
  const each = items(schema);
  if (depth < depthMax && each) return <List schema={schema} each={each} label={label} value={value} onChange={onChange} required={required} depth={depth} />;
  switch (schema.type) {
    case 'boolean':
      return <Checkbox label={label} description={description} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />;
    case 'integer':
    case 'number':
      return <NumberInput {...common} value={typeof value === 'number' ? value : ''} allowDecimal={schema.type === 'number'} onChange={(number) => onChange(number === '' ? undefined : Number(number))} />;
    case 'string': {
      const text = typeof value === 'string' ? value : '';
      return typeof schema.maxLength === 'number' && schema.maxLength <= shortMax ? (
        <TextInput {...common} value={text} onChange={(event) => onChange(event.currentTarget.value)} />
      ) : (
        <Textarea {...common} autosize minRows={1} maxRows={12} value={text} onChange={(event) => onChange(event.currentTarget.value)} />
      );
    }
    default:
      return <JsonField {...common} value={value} onChange={onChange} />;
  }
}

/** A list, item by item; what is added begins as its schema says. */
function List({ schema, each, label, value, onChange, required, depth }: FieldProps & { each: Schema; depth: number }) {
  const list: unknown[] = Array.isArray(value) ? value : [];
  const description = typeof schema.description === 'string' ? schema.description : undefined;
  // Fields keep what is typed: those behind a removed item begin anew with the values they have now.
  const [removals, setRemovals] = useState(0);
  return (
    <Fieldset legend={required ? texts.form.required(label) : label}>
      <Stack gap="sm" align="stretch">
        {description && <Text size="sm">{description}</Text>}
        {list.map((item, index) => (
          <Group key={`${removals}.${index}`} align="flex-end" wrap="nowrap">
            <div style={{ flex: 1 }}>
              <Field schema={each} label={texts.form.item(label, index)} value={item} required={false} depth={depth + 1} onChange={(next) => onChange(list.with(index, next ?? null))} />
            </div>
            <Button size="xs" variant="subtle" color="red" aria-label={texts.form.removeItem(label, index)} onClick={() => {
                setRemovals(removals + 1);
                onChange(list.filter((_, other) => other !== index));
              }}
            >
              {texts.form.remove}
            </Button>
          </Group>
        ))}
        <Button size="xs" variant="default" aria-label={texts.form.addItem(label)} style={{ alignSelf: 'flex-start' }} onClick={() => onChange([...list, begun(each)])}>
          {texts.form.add}
        </Button>
      </Stack>
    </Fieldset>
  );
}

function JsonField({ label, description, required, value, onChange }: { label: string; description?: string; required: boolean; value: unknown; onChange: (value: unknown) => void }) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2));
  return (
    <JsonInput
      label={texts.form.json(label)}
      description={description}
      required={required}
      validationError={texts.form.notJson}
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

/** What an item that was added is before anybody writes into it. */
function begun(schema: Schema): unknown {
  const first = initial(schema);
  if (first !== undefined) return first;
  if (schema.type === 'string') return '';
  return schema.type === 'boolean' ? false : null;
}

/** What a form begins with: the schema's defaults at any depth, and `false` for what is ticked. */
export function initial(schema: unknown): unknown {
  const parts = fields(schema);
  if (!parts) return object(schema).default;
  const value: Schema = {};
  for (const [name, field] of parts) {
    const nested = fields(field) && !('default' in field) ? object(initial(field)) : undefined;
    if ('default' in field) value[name] = field.default;
    else if (field.type === 'boolean') value[name] = false;
    else if (nested && Object.keys(nested).length > 0) value[name] = nested;
  }
  return value;
}
