import { placeAt, valueAt, type Path, type Place } from './place';
import { schemasAt, takesText, type JsonSchema } from './schema';

export interface Suggestion {
  label: string;
  /** What is inserted in place of the word. */
  apply: string;
  kind: 'key' | 'word' | 'node' | 'channel' | 'name';
  detail?: string;
  info?: string;
}

export interface Completed {
  from: number;
  options: Suggestion[];
}

export interface Named {
  name: string;
  description?: string;
}

/** What a definition can refer to on this server. */
export interface Names {
  tools: Named[];
  models: Named[];
  reducers: Named[];
  functions: Named[];
  graphs: Named[];
  transforms: Named[];
}

type Kind = 'nodes' | 'channels' | 'nodeTypes' | keyof Names;

/** What the values under these keys name. */
const named: Record<string, Kind> = {
  to: 'nodes',
  from: 'nodes',
  next: 'nodes',
  else: 'nodes',
  goto: 'nodes',
  node: 'nodes',
  targets: 'nodes',
  if_empty: 'nodes',
  route_map: 'nodes',
  interrupt_before: 'nodes',
  interrupt_after: 'nodes',
  output_to: 'channels',
  answer_to: 'channels',
  error_to: 'channels',
  mirror_to: 'channels',
  messages: 'channels',
  remove: 'channels',
  channels: 'channels',
  model: 'models',
  tools: 'tools',
  reducer: 'reducers',
  function: 'functions',
  graph: 'graphs',
  transform: 'transforms',
};

/** Maps whose keys are names. */
const keyed: Record<string, Kind> = { update: 'channels', overwrite: 'channels', defaults: 'nodeTypes' };

function object(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** The graph that a path is in: the definition, or one of its `graphs`. */
function graphAround({ data, path }: Place): Record<string, unknown> {
  return object(path[0] === 'graphs' && path.length > 2 ? valueAt(data, path.slice(0, 2)) : data);
}

function nodes(place: Place, key: string): Named[] {
  const { nodes: list } = graphAround(place);
  const ids = (Array.isArray(list) ? list : []).map(object).filter((it) => typeof it.id === 'string');
  const found = ids.map((it) => ({ name: String(it.id), description: typeof it.type === 'string' ? it.type : undefined }));
  return [...found, { name: key === 'from' ? '__start__' : '__end__' }];
}

function channels(place: Place): Named[] {
  const graph = graphAround(place);
  const declared = Object.entries(object(graph.channels)).map(([name, it]) => ({ name, description: String(object(it).reducer ?? 'last_value') }));
  const input = Object.keys(object(object(object(graph.input).schema).properties)).map((name) => ({ name, description: 'input' }));
  return [...declared, ...input.filter((it) => !declared.some((other) => other.name === it.name))];
}

function inlineGraphs({ data }: Place): Named[] {
  return Object.keys(object(object(data).graphs)).map((name) => ({ name: `#${name}`, description: 'of this definition' }));
}

function ownTools({ data }: Place): Named[] {
  return Object.keys(object(object(data).tools)).map((name) => ({ name, description: 'of this definition' }));
}

function namesOf(kind: Kind, key: string, place: Place, names: Names): Named[] {
  switch (kind) {
    case 'nodes':
      return nodes(place, key);
    case 'channels':
      return channels(place);
    case 'nodeTypes':
      return [];
    case 'graphs':
      return [...inlineGraphs(place), ...names.graphs];
    case 'tools':
      return [...ownTools(place), ...names.tools];
    default:
      return names[kind];
  }
}

const kinds: Partial<Record<Kind, Suggestion['kind']>> = { nodes: 'node', channels: 'channel' };

/** As YAML would read it back: quoted where it must be. */
function scalar(text: string, quoted: boolean): string {
  if (quoted || /^[A-Za-z_][\w.-]*$/.test(text)) return text;
  return JSON.stringify(text);
}

function unique(options: Suggestion[]): Suggestion[] {
  const seen = new Set<string>();
  return options.filter(({ label }) => !seen.has(label) && seen.add(label));
}

function keysAt(root: JsonSchema, place: Place, names: Names): Suggestion[] {
  const schemas = schemasAt(root, place.data, place.path);
  const required = new Set(schemas.flatMap((schema) => schema.required ?? []));
  const ending = place.colon ? '' : ': ';
  const own = schemas.flatMap((schema) =>
    Object.entries(schema.properties ?? {})
      .filter(([name]) => !name.startsWith('$'))
      .map(([name, member]): Suggestion => ({ label: name, apply: name + ending, kind: 'key', detail: required.has(name) ? 'required' : undefined, info: info(member) })),
  );
  const last = place.path.at(-1);
  const kind = typeof last === 'string' ? keyed[last] : undefined;
  const free = kind && kind !== 'nodeTypes' ? namesOf(kind, String(last), place, names) : kind === 'nodeTypes' ? nodeTypes(root) : [];
  const others = free.map(({ name, description }): Suggestion => ({ label: name, apply: name + ending, kind: kinds[kind!] ?? 'name', detail: description }));
  return unique([...own, ...others]).filter(({ label }) => !place.taken.includes(label));
}

function nodeTypes(root: JsonSchema): Named[] {
  const found = root.$defs?.NodeDefinition?.properties?.type?.enum ?? [];
  return found.map((it) => ({ name: String(it) }));
}

function info(schema: JsonSchema): string | undefined {
  const standard = schema.default === undefined ? '' : ` Default: ${JSON.stringify(schema.default)}.`;
  return schema.description ? `${schema.description}.${standard}`.replace(/\.\./g, '.') : standard.trim() || undefined;
}

/** The key whose value, or list or map of values, is at a path; items of lists and values of maps belong to it. */
function keyOf(path: Path): string | undefined {
  const at = path.findLastIndex((step) => typeof step === 'string');
  const key = path[at];
  const above = path[at - 1];
  if (above === 'route_map') return 'route_map';
  return typeof key === 'string' ? key : undefined;
}

function valuesAt(root: JsonSchema, place: Place, names: Names): Suggestion[] {
  const schemas = schemasAt(root, place.data, place.path);
  const words = schemas.flatMap((schema) => [...(schema.enum ?? []), ...(schema.const === undefined ? [] : [schema.const])]);
  const flags = schemas.some(({ type }) => type === 'boolean') ? [true, false] : [];
  const key = keyOf(place.path);
  const kind = key === undefined ? undefined : named[key];
  const known = kind && takesText(schemas) ? namesOf(kind, key!, place, names) : [];
  const about = new Map(known.map((it) => [it.name, it.description]));
  const options = [...words, ...flags].map((word): Suggestion => ({ label: String(word), apply: typeof word === 'string' ? scalar(word, place.quoted) : String(word), kind: 'word', info: about.get(String(word)) }));
  const others = known.map(({ name, description }): Suggestion => ({ label: name, apply: scalar(name, place.quoted), kind: kinds[kind!] ?? 'name', detail: short(description), info: long(description) }));
  return unique([...options, ...others]);
}

const detailMax = 24;

function short(text: string | undefined): string | undefined {
  return text !== undefined && text.length <= detailMax ? text : undefined;
}

function long(text: string | undefined): string | undefined {
  return text !== undefined && text.length > detailMax ? text : undefined;
}

const reached = /\b(state|params|prompts)\.(\w*)$/;

/** What expressions and templates see under these names. */
function members(text: string, position: number): Completed | undefined {
  const match = reached.exec(text.slice(text.lastIndexOf('\n', position - 1) + 1, position));
  const place = match && placeAt(text, position);
  if (!match || !place) return undefined;
  const found: Named[] = match[1] === 'state' ? channels(place) : Object.keys(object(object(place.data)[match[1]!])).map((name) => ({ name }));
  const options = found.map(({ name, description }): Suggestion => ({ label: name, apply: name, kind: 'channel', detail: description }));
  return { from: position - match[2]!.length, options };
}

/** What may stand at a position of a definition, by the schema of the language and by what is named elsewhere. */
export function complete(root: JsonSchema, names: Names, text: string, position: number): Completed | undefined {
  const inExpression = members(text, position);
  if (inExpression) return inExpression;
  const place = placeAt(text, position);
  if (!place) return undefined;
  if (place.kind === 'value') return { from: place.from, options: valuesAt(root, place, names) };
  const keys = keysAt(root, place, names);
  // A word alone on its line may be an item of a list as well.
  const options = keys.length || place.taken.length ? keys : valuesAt(root, place, names);
  return { from: place.from, options };
}
