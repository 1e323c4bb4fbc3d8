import type { Schemas } from '../../api/client';

type Edge = Schemas['PreviewedEdge'];
type Node = Schemas['PreviewedNode'];

function list(value: string | string[] | undefined): string[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

function leadsTo(edge: Schemas['EdgeDefinition'], node: string): boolean {
  return [...list(edge.to), ...list(edge.targets), ...Object.values(edge.route_map ?? {}), ...list(edge.if_empty)].includes(node);
}

/** What a definition says of the context of one of its nodes: the edges into it, and its own filters. */
export function filtersOf(definition: Pick<Schemas['GraphDefinition'], 'nodes' | 'edges'>, id: string): { edges: Edge[]; node: Node } | undefined {
  const found = definition.nodes.find((it) => it.id === id);
  if (!found) return undefined;
  const { type, context_type, context_filter, context_filters, required_context, processor_config } = found;
  const edges = (definition.edges ?? [])
    .filter((edge) => leadsTo(edge, id))
    .map((edge): Edge => ({ id: edge.id ?? `${list(edge.from).join(', ')} → ${id}`, type: edge.type, context_filter: edge.context_filter }));
  const node: Node = { id, type, context_type, context_filter, context_filters, required_context, processor_config };
  // As JSON has it: without what is undefined.
  return JSON.parse(JSON.stringify({ edges, node })) as { edges: Edge[]; node: Node };
}

/** The request that the fields of the form make; throws where a field is no JSON. */
export function request(fields: { context: string; edges: string; node: string; scope: string }): Schemas['PreviewContext'] {
  const parsed = (text: string): unknown => (text.trim() === '' ? undefined : JSON.parse(text));
  const edges = parsed(fields.edges);
  return {
    context: (parsed(fields.context) ?? {}) as Schemas['PreviewedContext'],
    ...(Array.isArray(edges) && edges.length > 0 && { edges: edges as Edge[] }),
    ...(parsed(fields.node) !== undefined && { node: parsed(fields.node) as Node }),
    ...(parsed(fields.scope) !== undefined && { scope: parsed(fields.scope) as Record<string, unknown> }),
  };
}
