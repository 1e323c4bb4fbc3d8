import '@xyflow/react/dist/style.css';
import './graph.css';
import { useComputedColorScheme } from '@mantine/core';
import { Background, Controls, Handle, Position, ReactFlow, type Edge, type Node, type NodeProps } from '@xyflow/react';
import ELK from 'elkjs/lib/elk.bundled.js';
import { useEffect, useMemo, useState } from 'react';
import type { Schemas } from '../../api/client';
import { Failure } from '../Failure';
import { toElements, type NodeData, type NodeState } from './elements';

const size = { width: 190, height: 58 };
const elk = new ELK();

async function layout(nodes: Node<NodeData>[], edges: Edge[]): Promise<Node<NodeData>[]> {
  const placed = await elk.layout({
    id: 'graph',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'DOWN',
      'elk.spacing.nodeNode': '50',
      'elk.layered.spacing.nodeNodeBetweenLayers': '70',
    },
    children: nodes.map(({ id }) => ({ id, ...size })),
    edges: edges.map(({ id, source, target }) => ({ id, sources: [source], targets: [target] })),
  });
  const places = new Map(placed.children?.map((child) => [child.id, child]));
  return nodes.map((node) => ({ ...node, position: { x: places.get(node.id)?.x ?? 0, y: places.get(node.id)?.y ?? 0 } }));
}

function stateText(state?: NodeState): string | undefined {
  if (!state || state.status === 'idle') return undefined;
  return state.count && state.count > 1 ? `${state.status} ${state.done ?? 0}/${state.count}` : state.status;
}

function Step({ data }: NodeProps<Node<NodeData>>) {
  const text = stateText(data.state);
  return (
    <div className={`graph-step ${data.type ? '' : 'graph-terminal'} graph-${data.state?.status ?? 'idle'}`}>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <strong>{data.label}</strong>
      <small>{[data.type, text].filter(Boolean).join(' · ')}</small>
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </div>
  );
}

const nodeTypes = { step: Step };

export interface GraphViewProps {
  /** The definition in its long form, as the service answers it. */
  definition: Schemas['GraphDefinition'];
  nodeStates?: Record<string, NodeState>;
  onSelect?: (nodeId: string) => void;
  height?: number;
}

/** The picture of a graph, laid out in layers. */
export default function GraphCanvas({ definition, nodeStates, onSelect, height = 460 }: GraphViewProps) {
  const scheme = useComputedColorScheme('light');
  const elements = useMemo(() => toElements(definition), [definition]);
  const [placed, setPlaced] = useState<Node<NodeData>[]>();
  const [failure, setFailure] = useState<Error>();
  useEffect(() => {
    let current = true;
    layout(elements.nodes, elements.edges).then(
      (nodes) => current && setPlaced(nodes),
      (error: Error) => current && setFailure(error),
    );
    return () => {
      current = false;
    };
  }, [elements]);
  const nodes = useMemo(
    () => placed?.map((node) => ({ ...node, data: { ...node.data, state: nodeStates?.[node.id] } })),
    [placed, nodeStates],
  );
  if (failure) return <Failure error={failure} />;
  if (!nodes) return <div style={{ height }} />;
  return (
    <div style={{ height }} role="group" aria-label={`Graph ${definition.name}`}>
      <ReactFlow
        nodes={nodes}
        edges={elements.edges}
        nodeTypes={nodeTypes}
        colorMode={scheme}
        fitView
        minZoom={0.1}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        onNodeClick={(_, node) => onSelect?.(node.id)}
        proOptions={{ hideAttribution: false }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
}
