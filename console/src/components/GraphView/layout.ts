import ELK, { type ELK as Elk, type ElkExtendedEdge, type ElkNode } from 'elkjs/lib/elk-api.js';
import workerUrl from 'elkjs/lib/elk-worker.min.js?url';
import type { Picture, PictureEdge, PictureNode } from './elements';
import { texts } from './texts';

export interface Point {
  x: number;
  y: number;
}

/** Where everything is. Nodes are placed within their group, lines and labels within the whole. */
export interface Places {
  nodes: ReadonlyMap<string, Point & { width: number; height: number }>;
  lines: ReadonlyMap<string, { points: Point[]; label?: Point }>;
}

const sizes = { step: { width: 190, height: 58 }, terminal: { width: 84, height: 34 }, join: { width: 112, height: 26 } };
const foldedHeight = 88;
const letter = 6.6;
const labelHeight = 18;

const layered = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.json.edgeCoords': 'ROOT',
  'elk.spacing.nodeNode': '36',
  'elk.spacing.edgeNode': '18',
  'elk.spacing.edgeEdge': '12',
  'elk.spacing.edgeLabel': '4',
  'elk.layered.spacing.nodeNodeBetweenLayers': '44',
  'elk.layered.spacing.edgeNodeBetweenLayers': '18',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '12',
  'elk.layered.cycleBreaking.strategy': 'DEPTH_FIRST',
  'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
  'elk.layered.nodePlacement.bk.fixedAlignment': 'BALANCED',
  'elk.padding': '[top=16,left=16,bottom=16,right=16]',
};
// The head of a group has the name of its node and a button.
const inGroup = { ...layered, 'elk.padding': '[top=58,left=20,bottom=20,right=20]', 'elk.nodeSize.constraints': '[MINIMUM_SIZE]', 'elk.nodeSize.minimum': '(320, 120)', 'elk.contentAlignment': '[H_CENTER, V_TOP]' };

// As ELK names what must stand first and last.
const terminals: Record<string, Record<string, string>> = {
  start: { 'elk.layered.layering.layerConstraint': 'FIRST' },
  end: { 'elk.layered.layering.layerConstraint': 'LAST' },
};

function elkEdge({ id, source, target, label }: PictureEdge): ElkExtendedEdge {
  return { id, sources: [source], targets: [target], labels: label ? [{ text: label, width: label.length * letter + 10, height: labelHeight }] : [] };
}

function elkNode(node: PictureNode, picture: Picture): ElkNode {
  if (node.kind === 'group') return { id: node.id, layoutOptions: inGroup, ...content(node.id, picture) };
  const size = sizes[node.kind];
  return {
    id: node.id,
    ...size,
    ...(node.reference && { height: foldedHeight }),
    ...(node.kind === 'terminal' && { layoutOptions: terminals[node.label] }),
  };
}

function content(group: string | undefined, picture: Picture): Pick<ElkNode, 'children' | 'edges'> {
  return {
    children: picture.nodes.filter((node) => node.parent === group).map((node) => elkNode(node, picture)),
    edges: picture.edges.filter((edge) => edge.parent === group).map(elkEdge),
  };
}

type Engine = Pick<Elk, 'layout'>;

let engine: Engine | undefined;

/** ELK in a worker: it is large, and what it does with a large graph takes long. One for all pictures. */
export function startEngine(): Engine {
  if (engine) return engine;
  let fail: (error: Error) => void = () => {};
  const failed = new Promise<never>((_, reject) => (fail = reject));
  failed.catch(() => (engine = undefined));
  const elk = new ELK({
    workerUrl,
    workerFactory: (url) => {
      const worker = new Worker(url!);
      worker.addEventListener('error', (event) => fail(new Error(event.message || texts.noLayout)));
      return worker;
    },
  });
  engine = { layout: (graph, options) => Promise.race([elk.layout(graph, options), failed]) as ReturnType<Elk['layout']> };
  return engine;
}

/** Places a picture in layers, from the start down; lines go around nodes, and labels have room. */
export async function layout(picture: Picture, elk: Engine = startEngine()): Promise<Places> {
  const placed = await elk.layout({ id: '', layoutOptions: layered, ...content(undefined, picture) });
  const nodes = new Map<string, Point & { width: number; height: number }>();
  const lines = new Map<string, { points: Point[]; label?: Point }>();
  const collect = (group: ElkNode) => {
    for (const { id, x = 0, y = 0, width = 0, height = 0 } of group.children ?? []) nodes.set(id, { x, y, width, height });
    for (const { id, sections = [], labels = [] } of group.edges ?? []) {
      const points = sections.flatMap(({ startPoint, bendPoints = [], endPoint }) => [startPoint, ...bendPoints, endPoint]);
      const [label] = labels;
      lines.set(id, { points, ...(label && { label: { x: (label.x ?? 0) + (label.width ?? 0) / 2, y: (label.y ?? 0) + (label.height ?? 0) / 2 } }) });
    }
    group.children?.forEach(collect);
  };
  collect(placed);
  return { nodes, lines };
}

const radius = 6;

/** A line through the points as a path of SVG, with round corners. */
export function rounded(points: Point[]): string {
  return points
    .map((point, index) => {
      const before = points[index - 1];
      const after = points[index + 1];
      if (!before) return `M ${point.x} ${point.y}`;
      if (!after) return `L ${point.x} ${point.y}`;
      const towards = (other: Point) => {
        const length = Math.hypot(other.x - point.x, other.y - point.y) || 1;
        const share = Math.min(radius, length / 2) / length;
        return `${point.x + (other.x - point.x) * share} ${point.y + (other.y - point.y) * share}`;
      };
      return `L ${towards(before)} Q ${point.x} ${point.y} ${towards(after)}`;
    })
    .join(' ');
}
