import { Button, Checkbox, Fieldset, Group, JsonInput, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { begun, choices, depthMax, fields, initial, isRequired, items, labelOf, member, object, withMember, type Schema } from '../lib/schema';
import { texts } from '../texts';

interface Props {
  schema: unknown;
  label: string;
  /** Undefined: nothing. */
  value: unknown;
  onChange: (value: unknown) => void;
  /** All of it as one text. */
  asJson?: boolean;
}

interface FieldProps {
  schema: Schema;
  label: string;
  value: unknown;
  onChange: (value: unknown) => void;
  /** It cannot be left out. */
  required: boolean;
  /** One of a list. */
  item?: boolean;
  depth: number;
  /** Where in the value it is, as a JSON pointer: the name of the form's control. */
  path: string;
}

const shortMax = 80;
const step = (path: string, name: string | number) => `${path}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
const describe = (schema: Schema) => (typeof schema.description === 'string' ? schema.description : undefined);

/**
 * A value made by hand: fields where its JSON Schema has them, JSON elsewhere. What is optional may
 * be left out, at any depth. The service checks it.
 */
export function SchemaForm({ schema, label, value, onChange, asJson }: Props) {
  const own = object(schema);
  const field = { schema: own, label, value, onChange, required: true, depth: 0, path: '' };
  if (asJson) return <JsonField key="json" {...field} />;
  return fields(own) ? <Members {...field} /> : <Field {...field} />;
}

function Members({ schema, label, value, onChange, depth, path }: Omit<FieldProps, 'required'>) {
  return (
    <Stack gap="sm" role="group" aria-label={label}>
      {fields(schema)?.map(([name, field]) => (
        <Field
          key={name}
          schema={field}
          label={labelOf(name, field)}
          value={member(value, name)}
          required={isRequired(schema, name)}
          depth={depth + 1}
          path={step(path, name)}
          onChange={(part) => onChange(withMember(value, name, part))}
        />
      ))}
    </Stack>
  );
}

function Field(props: FieldProps) {
  const { schema, depth, required } = props;
  if (choices(schema)) return <Choice {...props} options={choices(schema)!} />;
  if (depth > 0 && depth < depthMax && fields(schema)) return <Inner {...props} />;
  const each = items(schema);
  if (depth < depthMax && each) return <List {...props} each={each} />;
  switch (schema.type) {
    case 'boolean':
      return required ? <Tick {...props} /> : <Choice {...props} options={[true, false]} />;
    case 'integer':
    case 'number':
      return <NumberField {...props} />;
    case 'string':
      return <TextField {...props} />;
    default:
      return <JsonField {...props} />;
  }
}

/** An object within another; one that is optional is there when somebody adds it. */
function Inner({ schema, label, value, onChange, required, item, depth, path }: FieldProps) {
  const there = required || value !== undefined;
  const description = describe(schema);
  return (
    <Fieldset legend={required && !item ? texts.form.required(label) : label}>
      <Stack gap="sm" align="stretch">
        {description && <Text size="sm">{description}</Text>}
        {there && <Members schema={schema} label={label} value={value} onChange={onChange} depth={depth} path={path} />}
        {!there && <Act name={path} value="add" label={texts.form.addItem(label)} text={texts.form.add} onClick={() => onChange(initial(schema))} />}
        {there && !required && <Act name={path} value="omit" label={texts.form.omitItem(label)} text={texts.form.omit} onClick={() => onChange(undefined)} />}
      </Stack>
    </Fieldset>
  );
}

function Act({ name, value, label, text, onClick }: { name: string; value: string; label: string; text: string; onClick: () => void }) {
  return (
    <Button size="xs" variant="default" name={name} value={value} aria-label={label} style={{ alignSelf: 'flex-start' }} onClick={onClick}>
      {text}
    </Button>
  );
}

/** A list, item by item; what is added begins as its schema says. */
function List({ schema, each, label, value, onChange, required, item: inList, depth, path }: FieldProps & { each: Schema }) {
  const list: unknown[] = Array.isArray(value) ? value : [];
  const description = describe(schema);
  // Fields keep what is typed: those behind a removed item begin anew with the values they have now.
  const [removals, setRemovals] = useState(0);
  return (
    <Fieldset legend={required && !inList ? texts.form.required(label) : label}>
      <Stack gap="sm" align="stretch">
        {description && <Text size="sm">{description}</Text>}
        {list.map((item, index) => (
          <Group key={`${removals}.${index}`} align="flex-end" wrap="nowrap">
            <div style={{ flex: 1, minWidth: 0 }}>
              <Field schema={each} label={texts.form.item(label, index)} value={item} required item depth={depth + 1} path={step(path, index)} onChange={(next) => onChange(list.with(index, next ?? null))} />
            </div>
            <Button
              size="xs"
              variant="subtle"
              color="red"
              name={step(path, index)}
              value="remove"
              aria-label={texts.form.removeItem(label, index)}
              onClick={() => {
                setRemovals(removals + 1);
                onChange(list.filter((_, other) => other !== index));
              }}
            >
              {texts.form.remove}
            </Button>
          </Group>
        ))}
        <Group gap="xs">
          <Act name={path} value="add" label={texts.form.addItem(label)} text={texts.form.add} onClick={() => onChange([...list, begun(each)])} />
          {value !== undefined && !required && <Act name={path} value="omit" label={texts.form.omitItem(label)} text={texts.form.omit} onClick={() => onChange(undefined)} />}
        </Group>
      </Stack>
    </Fieldset>
  );
}

function common({ schema, label, required, item, path }: FieldProps) {
  return { label, description: describe(schema), withAsterisk: required && !item && path !== '', name: path };
}

function Tick({ schema, label, value, onChange, path }: FieldProps) {
  return <Checkbox label={label} description={describe(schema)} name={path} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />;
}

/** One of some values, or none. */
function Choice({ options, ...props }: FieldProps & { options: unknown[] }) {
  const { value, onChange } = props;
  const distinct = [...new Set(options.map((option) => JSON.stringify(option)))];
  const data = distinct.map((json) => ({ value: json, label: optionLabel(JSON.parse(json)) }));
  return (
    <NativeSelect
      {...common(props)}
      data={[{ value: '', label: texts.form.none }, ...data]}
      value={value === undefined ? '' : JSON.stringify(value)}
      onChange={(event) => onChange(event.currentTarget.value === '' ? undefined : JSON.parse(event.currentTarget.value))}
    />
  );
}

function optionLabel(option: unknown): string {
  if (typeof option === 'boolean') return option ? texts.form.yes : texts.form.no;
  return typeof option === 'string' && option.trim() !== '' ? option : JSON.stringify(option);
}

function TextField(props: FieldProps) {
  const { schema, value, onChange, required } = props;
  const text = typeof value === 'string' ? value : '';
  const least = typeof schema.minLength === 'number' ? schema.minLength : 0;
  // What is optional and empty is left out.
  const write = (next: string) => onChange(next === '' && (!required || least > 0) ? undefined : next);
  return typeof schema.maxLength === 'number' && schema.maxLength <= shortMax ? (
    <TextInput {...common(props)} value={text} onChange={(event) => write(event.currentTarget.value)} />
  ) : (
    <Textarea {...common(props)} autosize minRows={1} maxRows={12} value={text} onChange={(event) => write(event.currentTarget.value)} />
  );
}

/** What is wrong with a number as it is written; empty: nothing. */
function wrongNumber(text: string, whole: boolean): string {
  if (!/^\s*-?\d+(\.\d+)?([eE][+-]?\d+)?\s*$/.test(text)) return texts.form.notNumber;
  const number = Number(text);
  if (!Number.isFinite(number) || (Number.isInteger(number) && !Number.isSafeInteger(number) && /^\s*-?\d+\s*$/.test(text))) return texts.form.tooLarge;
  return whole && !Number.isInteger(number) ? texts.form.notWhole : '';
}

function NumberField(props: FieldProps) {
  const { schema, value, onChange } = props;
  const whole = schema.type === 'integer';
  const [text, setText] = useState(typeof value === 'number' ? String(value) : '');
  const wrong = text === '' ? '' : wrongNumber(text, whole);
  const input = useInvalid<HTMLInputElement>(wrong);
  const positive = typeof schema.minimum === 'number' && schema.minimum >= 0;
  return (
    <TextInput
      {...common(props)}
      ref={input}
      // The keyboards of phones for numbers lack the minus sign.
      inputMode={positive ? (whole ? 'numeric' : 'decimal') : undefined}
      error={wrong || undefined}
      value={text}
      onChange={(event) => {
        const next = event.currentTarget.value;
        setText(next);
        onChange(next === '' || wrongNumber(next, whole) ? undefined : Number(next));
      }}
    />
  );
}

function parsed(text: string): { value?: unknown; wrong: string } {
  if (text.trim() === '') return { wrong: '' };
  try {
    return { value: JSON.parse(text), wrong: '' };
  } catch {
    return { wrong: texts.form.notJson };
  }
}

function JsonField(props: FieldProps) {
  const { label, value, onChange } = props;
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2));
  const { wrong } = parsed(text);
  const input = useInvalid<HTMLTextAreaElement>(wrong);
  return (
    <JsonInput
      {...common(props)}
      ref={input}
      label={texts.form.json(label)}
      error={wrong || undefined}
      autosize
      minRows={2}
      maxRows={16}
      value={text}
      onChange={(next) => {
        setText(next);
        // While it is being written it is no value; the field says so, and the form is not sent.
        if (!parsed(next).wrong) onChange(parsed(next).value);
      }}
    />
  );
}

/** Keeps the form from being sent while something is wrong with a control. */
function useInvalid<T extends HTMLInputElement | HTMLTextAreaElement>(wrong: string) {
  const input = useRef<T>(null);
  useEffect(() => input.current?.setCustomValidity(wrong), [wrong]);
  return input;
}
