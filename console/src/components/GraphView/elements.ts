import type { Edge, Node } from '@xyflow/react';
import type { Schemas } from '../../api/client';

/** What a node of a run is doing; `count` and `done` are its tasks. */
export interface NodeState {
  status: 'idle' | 'active' | 'done' | 'failed' | 'waiting' | 'held';
  count?: number;
  done?: number;
}

type Definition = Schemas['GraphDefinition'];
type EdgeDefinition = Schemas['EdgeDefinition'];

export interface NodeData extends Record<string, unknown> {
  label: string;
  type: string;
  state?: NodeState;
}

const start = '__start__';
const end = '__end__';

function list(value: string | string[] | undefined): string[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

/** Why an edge leads to this target: its keys of the route, its condition, its error codes. */
function label(edge: EdgeDefinition, target: string): string | undefined {
  const keys = Object.entries(edge.route_map ?? {})
    .filter(([, node]) => node === target)
    .map(([key]) => key);
  const routed = keys.length > 0 || (edge.targets ?? []).includes(target);
  const words = [
    list(edge.from).length > 1 ? `join ${edge.join ?? 'all'}` : undefined,
    edge.type === 'error' ? ['error', ...(edge.error_codes ?? [])].join(' ') : undefined,
    edge.condition,
    keys.length > 0 ? keys.join(', ') : routed ? 'route' : undefined,
    edge.if_empty === target && !routed ? 'if empty' : undefined,
  ].filter((word) => word !== undefined);
  return words.length ? cut(words.join(' · ')) : undefined;
}

const labelMax = 40;

function cut(text: string): string {
  return text.length > labelMax ? `${text.slice(0, labelMax - 1)}…` : text;
}

function targets(edge: EdgeDefinition): string[] {
  return [...new Set([...list(edge.to), ...(edge.targets ?? []), ...Object.values(edge.route_map ?? {}), ...list(edge.if_empty)])];
}

/** The nodes and edges of a definition in its long form, without positions. */
export function toElements(definition: Definition): { nodes: Node<NodeData>[]; edges: Edge[] } {
  const nodes: Node<NodeData>[] = definition.nodes.map((node) => ({
    id: node.id,
    type: 'step',
    position: { x: 0, y: 0 },
    data: { label: node.name ?? node.id, type: node.type },
  }));
  const edges: Edge[] = [];
  const add = (source: string, target: string, text: string | undefined, kind: string) =>
    edges.push({ id: `${edges.length}`, source, target, label: text, className: `edge-${kind}`, animated: kind === 'dispatch' });

  for (const edge of definition.edges ?? []) {
    for (const source of list(edge.from)) {
      for (const target of targets(edge)) add(source, target, label(edge, target), edge.type === 'error' ? 'error' : 'plain');
    }
  }
  for (const node of definition.nodes) {
    for (const target of node.targets ?? []) add(node.id, target, 'dispatch', 'dispatch');
    if (node.if_empty) add(node.id, node.if_empty, 'if empty', 'plain');
    // Success of a node without an edge for it ends its branch, unless it may dispatch.
    const leads = edges.some((edge) => edge.source === node.id && edge.className !== 'edge-error');
    if (!leads) add(node.id, end, undefined, 'plain');
  }
  if (definition.nodes[0] && !edges.some((edge) => edge.source === start)) add(start, definition.nodes[0].id, undefined, 'plain');
  for (const id of [start, end]) {
    if (edges.some((edge) => edge.source === id || edge.target === id)) {
      nodes.push({ id, type: 'step', position: { x: 0, y: 0 }, data: { label: id === start ? 'start' : 'end', type: '' } });
    }
  }
  const known = new Set(nodes.map((node) => node.id));
  return { nodes, edges: edges.filter((edge) => known.has(edge.source) && known.has(edge.target)) };
}
