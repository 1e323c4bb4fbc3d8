import { valueAt, type Path } from './place';

/** A JSON Schema, as far as completion reads it. */
export interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string | string[];
  description?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  required?: string[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  if?: JsonSchema;
  then?: JsonSchema;
  else?: JsonSchema;
}

function object(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Whether data satisfies what conditions of the graph schema ask: certain values of certain members. */
function holds(condition: JsonSchema, data: unknown): boolean {
  const members = object(data);
  if (!(condition.required ?? []).every((name) => name in members)) return false;
  return Object.entries(condition.properties ?? {}).every(([name, { const: only, enum: some }]) => {
    if (!(name in members)) return true;
    return (only === undefined || members[name] === only) && (some === undefined || some.includes(members[name]));
  });
}

/** The alternatives that a schema comes to for this data: references and conditions resolved. */
function alternatives(root: JsonSchema, schema: JsonSchema, data: unknown, depth = 0): JsonSchema[] {
  if (depth > 20) return [];
  const more = (it: JsonSchema) => alternatives(root, it, data, depth + 1);
  const found = [schema];
  if (schema.$ref?.startsWith('#/$defs/')) {
    const named = root.$defs?.[schema.$ref.slice('#/$defs/'.length)];
    if (named) found.push(...more(named));
  }
  for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) found.push(...more(part));
  if (schema.if) {
    const branch = holds(schema.if, data) ? schema.then : schema.else;
    if (branch) found.push(...more(branch));
  }
  return found;
}

/** All schemas that apply at a path, whatever is there now. */
export function schemasAt(root: JsonSchema, data: unknown, path: Path): JsonSchema[] {
  let found = alternatives(root, root, data);
  path.forEach((step, index) => {
    const here = valueAt(data, path.slice(0, index + 1));
    found = found.flatMap((schema) => {
      if (typeof step === 'number') return schema.items ? alternatives(root, schema.items, here) : [];
      const member = schema.properties?.[step] ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
      return member ? alternatives(root, member, here) : [];
    });
  });
  return found;
}

/** Whether one of these schemas lets a text stand there. */
export function takesText(schemas: JsonSchema[]): boolean {
  return schemas.some(({ type }) => type === 'string' || (Array.isArray(type) && type.includes('string')));
}
