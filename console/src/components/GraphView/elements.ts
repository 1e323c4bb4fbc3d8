import type { Edge, Node } from '@xyflow/react';
import type { Schemas } from '../../api/client';

/** What a node of a run is doing; `count` and `done` are its tasks. */
export interface NodeState {
  status: 'idle' | 'active' | 'done' | 'failed' | 'waiting';
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

function label(edge: EdgeDefinition, target: string): string | undefined {
  const key = Object.entries(edge.route_map ?? {}).find(([, node]) => node === target)?.[0];
  const words = [
    list(edge.from).length > 1 ? `join ${edge.join ?? 'all'}` : undefined,
    edge.type === 'error' ? ['error', ...(edge.error_codes ?? [])].join(' ') : undefined,
    edge.condition,
    key,
    edge.route && !key ? 'route' : undefined,
  ].filter((word) => word !== undefined);
  return words.length ? words.join(' · ') : undefined;
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
    const leads = edges.some((edge) => edge.source === node.id);
    if (!leads && !edges.some((edge) => edge.target === node.id && edge.className === 'edge-dispatch')) add(node.id, end, undefined, 'plain');
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
