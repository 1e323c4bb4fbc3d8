import type { Schemas } from '../../api/client';

/** What a node of a run is doing; `count` and `done` are its tasks. */
export interface NodeState {
  status: 'idle' | 'active' | 'done' | 'failed' | 'waiting' | 'held' | 'cancelled';
  count?: number;
  done?: number;
}

type EdgeDefinition = Schemas['EdgeDefinition'];
type NodeDefinition = Schemas['NodeDefinition'];

/** What can be drawn: a definition, or one of the graphs within it. */
export type Drawable = Pick<Schemas['GraphDefinition'], 'nodes' | 'edges' | 'graphs'>;

/** The graph that a `subgraph` node runs: a stored one, or one within the definition. */
export interface Reference {
  graph: string;
  version?: number;
  inline?: Drawable;
}

/** What is drawn. Within an unfolded subgraph, ids are `outer/inner`; `/` is in no id of a node. */
export interface PictureNode {
  id: string;
  kind: 'step' | 'terminal' | 'join' | 'group';
  label: string;
  type: string;
  parent?: string;
  /** The definition of a step or group; `path` says through which subgraphs one gets there. */
  node?: NodeDefinition;
  path: string[];
  reference?: Reference;
}

export interface PictureEdge {
  id: string;
  source: string;
  target: string;
  kind: 'plain' | 'error' | 'dispatch' | 'route';
  label?: string;
  /** The label before it was cut. */
  title?: string;
  /** The group that it is drawn in. */
  parent?: string;
}

export interface Picture {
  nodes: PictureNode[];
  edges: PictureEdge[];
}

/** Which subgraphs are unfolded, by the ids of their nodes; what is not within the definition has been looked up. */
export interface Unfolding {
  ids: ReadonlySet<string>;
  stored: ReadonlyMap<string, Drawable>;
}

const start = '__start__';
const end = '__end__';
const labelMax = 36;
const folded: Unfolding = { ids: new Set(), stored: new Map() };

function list(value: string | string[] | undefined): string[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

/** The key of a stored graph in `Unfolding.stored`. */
export function storedKey({ graph, version }: Reference): string {
  return version === undefined ? graph : `${graph}@${version}`;
}

/** What a `subgraph` node runs; undefined for other nodes, and for names that only a run knows. */
export function reference(node: NodeDefinition, graphs: Drawable['graphs']): Reference | undefined {
  const { graph, version } = (node.config ?? {}) as { graph?: unknown; version?: unknown };
  if (node.type !== 'subgraph' || typeof graph !== 'string') return undefined;
  if (!graph.startsWith('#')) return { graph, ...(typeof version === 'number' && { version }) };
  const inline = graphs?.[graph.slice(1)];
  return inline && { graph, inline: { ...inline, graphs } };
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > labelMax ? `${line.slice(0, labelMax - 1)}…` : line;
}

function targets(edge: EdgeDefinition): string[] {
  return [...new Set([...list(edge.to), ...list(edge.targets), ...Object.values(edge.route_map ?? {}), ...list(edge.if_empty)])];
}

/** Why an edge leads to this target: its keys of the route, its condition, its error codes. */
function words(edge: EdgeDefinition, target: string): string[] {
  const keys = Object.entries(edge.route_map ?? {})
    .filter(([, node]) => node === target)
    .map(([key]) => key);
  const routed = keys.length > 0 || (edge.targets ?? []).includes(target);
  return [
    edge.type === 'error' ? ['error', ...list(edge.error_codes)].join(' ') : undefined,
    edge.condition,
    keys.length > 0 ? keys.join(', ') : routed ? 'route' : undefined,
    edge.if_empty === target && !routed ? 'if empty' : undefined,
  ].filter((word) => word !== undefined);
}

function kind(edge: EdgeDefinition): PictureEdge['kind'] {
  if (edge.type === 'error') return 'error';
  return edge.route === undefined ? 'plain' : 'route';
}

/** Collects what one graph draws, and calls itself for what is unfolded in it. */
class Sketch {
  readonly nodes: PictureNode[] = [];
  readonly edges: PictureEdge[] = [];

  constructor(private readonly unfolding: Unfolding) {}

  draw(graph: Drawable, path: string[]): void {
    const parent = path.length ? path.join('/') : undefined;
    const id = (node: string) => [...path, node].join('/');
    const known = new Set([start, end, ...graph.nodes.map((node) => node.id)]);
    const used = new Set<string>();
    const sources = new Set<string>();
    const add = (source: string, target: string, shape: PictureEdge['kind'], text: string[] = []) => {
      if (![source, target].every((it) => known.has(it))) return;
      used.add(source).add(target);
      if (shape !== 'error') sources.add(source);
      const title = text.join(' · ');
      this.edges.push({ id: `${parent ?? ''}:${this.edges.length}`, source: id(source), target: id(target), kind: shape, parent, ...(title && { label: cut(title), title }) });
    };
    const begins = this.nodes.length;
    for (const [index, edge] of (graph.edges ?? []).entries()) {
      const from = list(edge.from);
      if (from.length < 2) {
        for (const source of from) for (const target of targets(edge)) add(source, target, kind(edge), words(edge, target));
        continue;
      }
      const join = `join ${index}`;
      known.add(join);
      this.nodes.push({ id: id(join), kind: 'join', label: `join ${edge.join ?? 'all'}`, type: '', parent, path });
      for (const source of from) add(source, join, edge.type === 'error' ? 'error' : 'plain');
      for (const target of targets(edge)) add(join, target, kind(edge), words(edge, target));
    }
    for (const node of graph.nodes) {
      for (const target of list(node.targets)) add(node.id, target, 'dispatch', ['dispatch']);
      if (node.if_empty) add(node.id, node.if_empty, 'plain', ['if empty']);
      // Success of a node without an edge for it ends its branch, unless it may dispatch.
      if (!sources.has(node.id)) add(node.id, end, 'plain');
    }
    if (graph.nodes[0] && !sources.has(start)) add(start, graph.nodes[0].id, 'plain');
    const terminal = (name: string, label: string): PictureNode[] => (used.has(name) ? [{ id: id(name), kind: 'terminal', label, type: '', parent, path }] : []);
    // In the order in which they are read: the layout begins with the start.
    this.nodes.splice(begins, 0, ...terminal(start, 'start'));
    for (const node of graph.nodes) this.step(node, graph, path);
    this.nodes.push(...terminal(end, 'end'));
  }

  private step(node: NodeDefinition, graph: Drawable, path: string[]): void {
    const parent = path.length ? path.join('/') : undefined;
    const id = [...path, node.id].join('/');
    const refers = reference(node, graph.graphs);
    const inner = refers && this.unfolding.ids.has(id) ? (refers.inline ?? this.unfolding.stored.get(storedKey(refers))) : undefined;
    const drawn = { id, label: node.name ?? node.id, type: node.type, parent, node, path, reference: refers };
    this.nodes.push({ ...drawn, kind: inner ? 'group' : 'step' });
    if (inner) this.draw(inner, [...path, node.id]);
  }
}

/** The nodes and edges of a definition in its long form, without positions; a group stands before what is in it. */
export function toElements(definition: Drawable, unfolding: Unfolding = folded): Picture {
  const sketch = new Sketch(unfolding);
  sketch.draw(definition, []);
  return { nodes: sketch.nodes, edges: sketch.edges };
}
