/** A JSON Schema, as far as forms read it. */
export type Schema = Record<string, unknown>;

/** Deeper than this, a form is JSON: nobody fills in more levels by hand. */
export const depthMax = 4;

export function object(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}

/** What stands under a name that others chose: `constructor` is not one of an object's own. */
export function member(of: unknown, name: string): unknown {
  const whole = object(of);
  return Object.hasOwn(whole, name) ? whole[name] : undefined;
}

/** The object with another value under a name, whatever it is called; undefined: without it. */
export function withMember(of: unknown, name: string, value: unknown): Schema {
  const others = Object.entries(object(of)).filter(([it]) => it !== name);
  return Object.fromEntries(value === undefined ? others : [...others, [name, value]]);
}

/** The fields of an object schema that a form can show; undefined: it needs JSON. */
export function fields(schema: unknown): [string, Schema][] | undefined {
  const { type, properties } = object(schema);
  if (!properties || (type !== undefined && type !== 'object')) return undefined;
  return Object.entries(object(properties)).map(([name, field]) => [name, object(field)]);
}

/** The schema of the items of a list that a form can show one by one; undefined: it needs JSON. */
export function items(schema: unknown): Schema | undefined {
  const { type, items: each } = object(schema);
  return type === 'array' && typeof each === 'object' && each !== null ? object(each) : undefined;
}

/** The values of which one is chosen; undefined: any. */
export function choices(schema: Schema): unknown[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
}

export function isRequired(schema: Schema, name: string): boolean {
  return Array.isArray(schema.required) && schema.required.includes(name);
}

/** What a form begins with: defaults, and what is there as soon as it must be; undefined: nothing. */
export function initial(schema: unknown, required = true): unknown {
  const own = object(schema);
  if (Object.hasOwn(own, 'default')) return own.default;
  const parts = fields(own);
  if (parts) {
    let value: Schema = {};
    for (const [name, field] of parts) value = withMember(value, name, initial(field, isRequired(own, name)));
    return required || (Object.keys(value).length > 0 && missing(own, value).length === 0) ? value : undefined;
  }
  if (!required) return undefined;
  if (Object.hasOwn(own, 'const')) return own.const;
  if (items(own)) return [];
  return own.type === 'boolean' && !choices(own) ? false : undefined;
}

/** What an item that was added is before anybody writes into it. */
export function begun(schema: Schema): unknown {
  const first = initial(schema);
  if (first !== undefined) return first;
  return schema.type === 'string' && !choices(schema) ? '' : null;
}

/** The labels of what a value lacks, in objects that are there; empty: nothing. */
export function missing(schema: unknown, value: unknown): string[] {
  if (Array.isArray(value)) return items(schema) ? value.flatMap((item) => missing(items(schema), item)) : [];
  return (fields(schema) ?? []).flatMap(([name, field]) => {
    const part = member(value, name);
    if (part !== undefined) return missing(field, part);
    return isRequired(object(schema), name) ? [labelOf(name, field)] : [];
  });
}

export function labelOf(name: string, field: Schema): string {
  return typeof field.title === 'string' && field.title !== '' ? field.title : name;
}

/** Whether a browser keeps all numbers of a value as they were written. */
export function isExact(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact);
}
