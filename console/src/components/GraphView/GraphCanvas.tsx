import '@xyflow/react/dist/style.css';
import './graph.css';
import { Select, useComputedColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Background, Controls, MarkerType, MiniMap, Panel, ReactFlow, type ReactFlowInstance } from '@xyflow/react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Schemas } from '../../api/client';
import { definitionQuery } from '../../lib/definitions';
import { Failure } from '../Failure';
import { storedKey, toElements, type Drawable, type NodeState, type Picture, type PictureNode } from './elements';
import { layout, startEngine, type Places } from './layout';
import { edgeTypes, nodeTypes, type Acts, type Box, type Line } from './parts';
import { texts } from './texts';

// While the page still reads what to draw.
startEngine();

/** Above these, a picture gets an overview and a way to find a node. */
const overviewFrom = 40;
const findFrom = 15;
/** Below this, texts cannot be read: the picture begins at its start instead of showing all of it. */
const legible = 0.6;
const begins = 0.75;

export interface GraphViewProps {
  /** The definition in its long form, as the service answers it. */
  definition: Schemas['GraphDefinition'];
  /** By id; of a node in an unfolded subgraph, `outer/inner`. */
  nodeStates?: Record<string, NodeState>;
  /** A node of this graph was chosen, by mouse or keyboard, or chosen once more. */
  onSelect?: (nodeId: string) => void;
  /** Any node was chosen, of unfolded subgraphs too; undefined: none is any more. */
  onInspect?: (node: Schemas['NodeDefinition'] | undefined, path: string[]) => void;
  /** Which subgraphs are unfolded, by the ids of their nodes. */
  onUnfold?: (ids: string[]) => void;
  /** The chosen node, where the page keeps it; null: none. Otherwise the picture keeps it. */
  selected?: string | null;
  height?: number;
}

interface Placed {
  picture: Picture;
  places: Places;
}

function bounds({ picture, places }: Placed, id: string): { x: number; y: number; width: number; height: number } | undefined {
  const place = places.nodes.get(id);
  const node = picture.nodes.find((it) => it.id === id);
  if (!place || !node) return undefined;
  const within = node.parent === undefined ? undefined : bounds({ picture, places }, node.parent);
  return { ...place, x: place.x + (within?.x ?? 0), y: place.y + (within?.y ?? 0) };
}

/** Shows all of it if it can be read then, else what matters: a group that was unfolded, or the start. */
function show(flow: ReactFlowInstance<Box, Line>, placed: Placed, height: number, width: number, group?: string) {
  const whole = [...placed.places.nodes.keys()].map((id) => bounds(placed, id)!);
  const right = Math.max(...whole.map((it) => it.x + it.width));
  const bottom = Math.max(...whole.map((it) => it.y + it.height));
  if (Math.min(width / right, height / bottom) >= legible) return void flow.fitView({ padding: 0.06, maxZoom: 1 });
  const target = group === undefined ? undefined : bounds(placed, group);
  if (target) return void flow.fitBounds(target, { padding: 0.25 });
  const first = whole.reduce((one, other) => (other.y < one.y ? other : one));
  void flow.setViewport({ x: width / 2 - (first.x + first.width / 2) * begins, y: 24 - first.y * begins, zoom: begins });
}

/** The picture of a graph, laid out in layers, with subgraphs that unfold in place. */
export default function GraphCanvas({ definition, nodeStates, onSelect, onInspect, onUnfold, selected, height = 460 }: GraphViewProps) {
  const scheme = useComputedColorScheme('light');
  const queries = useQueryClient();
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const [stored, setStored] = useState<ReadonlyMap<string, Drawable>>(new Map());
  const [placed, setPlaced] = useState<Placed>();
  const [failure, setFailure] = useState<Error>();
  const [own, setOwn] = useState<string>();
  const chosen = selected === undefined ? own : (selected ?? undefined);
  const [flow, setFlow] = useState<ReactFlowInstance<Box, Line>>();
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef<string>(undefined);
  const picture = useMemo(() => toElements(definition, { ids: unfolded, stored }), [definition, unfolded, stored]);

  useEffect(() => {
    let current = true;
    layout(picture).then(
      (places) => {
        if (!current) return;
        setPlaced({ picture, places });
        setFailure(undefined);
      },
      (error: Error) => current && setFailure(error),
    );
    return () => {
      current = false;
    };
  }, [picture]);

  useEffect(() => onUnfold?.([...unfolded]), [unfolded, onUnfold]);

  const seen = useRef<{ flow?: unknown; shape?: string }>({});
  useEffect(() => {
    if (!flow || !placed || !box.current) return;
    // Other words in the same boxes leave the view where somebody has moved it.
    const shape = placed.picture.nodes.map((node) => `${node.kind} ${node.id}`).join();
    if (seen.current.flow === flow && seen.current.shape === shape) return;
    seen.current = { flow, shape };
    show(flow, placed, height, box.current.clientWidth, latest.current);
  }, [flow, placed, height]);

  const centre = useCallback(
    (id: string, zoomed: boolean) => {
      const at = placed && bounds(placed, id);
      if (!at || !flow || !box.current) return;
      const { x, y, zoom } = flow.getViewport();
      const [left, top] = [at.x * zoom + x, at.y * zoom + y];
      const visible = left >= 0 && top >= 0 && left + at.width * zoom <= box.current.clientWidth && top + at.height * zoom <= height;
      if (!visible || zoomed) void flow.setCenter(at.x + at.width / 2, at.y + at.height / 2, { zoom: Math.max(zoom, zoomed ? 0.9 : 0) });
    },
    [placed, flow, height],
  );

  const acts = useMemo<Acts>(
    () => ({
      select(node) {
        const on = chosen !== node.id;
        setOwn(on ? node.id : undefined);
        if (node.path.length === 0) onSelect?.(node.id);
        onInspect?.(on ? node.node : undefined, node.path);
      },
      async unfold(node) {
        const { reference } = node;
        if (!reference) return;
        try {
          const found = reference.inline ?? (await queries.fetchQuery(definitionQuery(reference.graph, reference.version))).definition;
          latest.current = node.id;
          setFailure(undefined);
          setStored((before) => new Map(before).set(storedKey(reference), found));
          setUnfolded((before) => new Set(before).add(node.id));
        } catch (error) {
          setFailure(error as Error);
        }
      },
      fold(node) {
        latest.current = undefined;
        setUnfolded((before) => new Set([...before].filter((id) => id !== node.id && !id.startsWith(`${node.id}/`))));
      },
      focus: (node) => centre(node.id, false),
    }),
    [chosen, onSelect, onInspect, queries, centre],
  );

  const nodes = useMemo<Box[]>(
    () =>
      placed?.picture.nodes.map((node) => {
        const { x, y, width, height: tall } = placed.places.nodes.get(node.id)!;
        return {
          id: node.id,
          // React Flow has a style of its own for the type `group`.
          type: node.kind === 'group' ? 'unfolded' : node.kind,
          parentId: node.parent,
          position: { x, y },
          width,
          height: tall,
          data: { drawn: node, state: nodeStates?.[node.id], chosen: chosen === node.id, acts },
        };
      }) ?? [],
    [placed, nodeStates, chosen, acts],
  );
  const edges = useMemo<Line[]>(
    () =>
      placed?.picture.edges.map((edge) => ({
        id: edge.id,
        source: edge.source,
        target: edge.target,
        type: 'wire',
        className: `edge-${edge.kind}`,
        zIndex: edge.parent === undefined ? 0 : 1,
        animated: edge.kind === 'dispatch',
        markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16, ...(edge.kind === 'error' && { color: '#e03131' }) },
        data: { drawn: edge, ...placed.places.lines.get(edge.id)! },
      })) ?? [],
    [placed],
  );
  const choices = useMemo(() => steps(picture), [picture]);
  return (
    <>
      {failure && <Failure error={failure} />}
      <div ref={box} style={{ height }} className="graph" role="group" aria-label={texts.label(definition.name)} aria-busy={!placed}>
        {placed && (
          <ReactFlow<Box, Line>
            nodes={nodes}
            edges={edges}
            nodeTypes={nodeTypes}
            edgeTypes={edgeTypes}
            colorMode={scheme}
            minZoom={0.05}
            maxZoom={1.5}
            nodesDraggable={false}
            nodesConnectable={false}
            nodesFocusable={false}
            edgesFocusable={false}
            zoomOnDoubleClick={false}
            onInit={setFlow}
          >
            <Background />
            <Controls showInteractive={false} />
            {nodes.length >= overviewFrom && <MiniMap pannable zoomable ariaLabel={texts.overview} nodeColor="var(--mantine-color-gray-6)" style={{ width: 150, height: 150 }} />}
            {choices.length >= findFrom && (
              <Panel position="top-right">
                <Select
                  size="xs"
                  w={180}
                  aria-label={texts.find}
                  placeholder={texts.find}
                  searchable
                  nothingFoundMessage={texts.nothing}
                  data={choices}
                  value={null}
                  onChange={(id) => id && centre(id, true)}
                />
              </Panel>
            )}
          </ReactFlow>
        )}
      </div>
    </>
  );
}

function steps({ nodes }: Picture): { value: string; label: string }[] {
  return nodes.filter((node: PictureNode) => node.node).map((node) => ({ value: node.id, label: [...node.path, node.label].join(' / ') }));
}
