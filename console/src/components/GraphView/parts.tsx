import { BaseEdge, EdgeLabelRenderer, Handle, Position, type Edge, type EdgeProps, type Node, type NodeProps } from '@xyflow/react';
import type { NodeState, PictureEdge, PictureNode } from './elements';
import { rounded, type Point } from './layout';
import { texts } from './texts';

/** What the picture can be asked to do by its nodes. */
export interface Acts {
  select: (node: PictureNode) => void;
  unfold: (node: PictureNode) => void;
  fold: (node: PictureNode) => void;
  focus: (node: PictureNode) => void;
}

export type Box = Node<{ drawn: PictureNode; state?: NodeState; chosen: boolean; acts: Acts }>;
export type Line = Edge<{ drawn: PictureEdge; points: Point[]; label?: Point }>;

/** Letters of the small line that a box has room for. */
const lineMax = 24;

function stateText(state?: NodeState): string | undefined {
  if (!state || state.status === 'idle') return undefined;
  return state.count && state.count > 1 ? `${state.status} ${state.done ?? 0}/${state.count}` : state.status;
}

function Ends() {
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </>
  );
}

function Choice({ data: { drawn, state, chosen, acts } }: NodeProps<Box>) {
  // The head of a group has little room, and its frame says what it is.
  const now = stateText(state);
  const whole = [drawn.kind === 'group' ? undefined : drawn.type, now].filter(Boolean).join(' · ');
  // Numbers that are cut are wrong numbers.
  const small = now && whole.length > lineMax ? now : whole;
  return (
    <button
      type="button"
      className="graph-choice nodrag"
      aria-pressed={chosen}
      title={drawn.node?.description ?? drawn.label}
      onClick={() => acts.select(drawn)}
      onFocus={(event) => event.currentTarget.matches(':focus-visible') && acts.focus(drawn)}
    >
      <strong>{drawn.label}</strong>
      <small>{small}</small>
    </button>
  );
}

function classes(kind: string, { state, chosen }: Box['data']): string {
  return `graph-${kind} graph-${state?.status ?? 'idle'}${chosen ? ' graph-chosen' : ''}`;
}

function Step(props: NodeProps<Box>) {
  const { drawn, acts } = props.data;
  return (
    <div className={classes('step', props.data)}>
      <Ends />
      <Choice {...props} />
      {drawn.reference && (
        <button type="button" className="graph-fold nodrag" aria-expanded={false} onClick={() => acts.unfold(drawn)}>
          {texts.unfold(drawn.reference.graph)}
        </button>
      )}
    </div>
  );
}

function Group(props: NodeProps<Box>) {
  const { drawn, acts } = props.data;
  return (
    <div className={classes('group', props.data)}>
      <Ends />
      <div className="graph-group-head">
        <Choice {...props} />
        <button type="button" className="graph-fold nodrag" aria-expanded onClick={() => acts.fold(drawn)}>
          {texts.fold(drawn.reference?.graph ?? drawn.label)}
        </button>
      </div>
    </div>
  );
}

function Mark({ data: { drawn } }: NodeProps<Box>) {
  return (
    <div className={`graph-${drawn.kind}`}>
      <Ends />
      {drawn.label}
    </div>
  );
}

export const nodeTypes = { step: Step, unfolded: Group, join: Mark, terminal: Mark };

function Wire({ data, markerEnd }: EdgeProps<Line>) {
  if (!data) return null;
  return (
    <>
      <BaseEdge path={rounded(data.points)} markerEnd={markerEnd} />
      {data.label && (
        <EdgeLabelRenderer>
          <span className={`graph-label graph-label-${data.drawn.kind}`} title={data.drawn.title} style={{ transform: `translate(-50%, -50%) translate(${data.label.x}px, ${data.label.y}px)` }}>
            {data.drawn.label}
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  );
}

export const edgeTypes = { wire: Wire };
