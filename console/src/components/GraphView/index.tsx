import { Group, Badge } from '@mantine/core';
import type { Schemas } from '../../api/client';

/** What a node of a run is doing; `count` and `done` are its dispatched tasks. */
export interface NodeState {
  status: 'idle' | 'active' | 'done' | 'failed' | 'waiting' | 'held';
  count?: number;
  done?: number;
}

export interface GraphViewProps {
  /** The definition in its long form, as `?form=long` answers it. */
  definition: Schemas['GraphDefinition'];
  nodeStates?: Record<string, NodeState>;
  onSelect?: (nodeId: string) => void;
}

/** The picture of a graph. */
export function GraphView({ definition, nodeStates, onSelect }: GraphViewProps) {
  return (
    <Group role="group" aria-label={definition.name}>
      {definition.nodes?.map((node) => (
        <Badge key={node.id} component="button" onClick={() => onSelect?.(node.id ?? '')}>
          {`${node.id} ${nodeStates?.[node.id ?? '']?.status ?? ''}`}
        </Badge>
      ))}
    </Group>
  );
}
