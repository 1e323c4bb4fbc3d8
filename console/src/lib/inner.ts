import type { NodeState } from '../components/GraphView';
import { nodeStates, sumStates } from './progress';
import type { RunTask } from './tasks';

/** Of the runs that a node has begun in one superstep, at most so many are looked into. */
export const childrenMax = 20;

/** A run that a task of an unfolded `subgraph` node has begun. */
export interface ChildRun {
  id: string;
  tasks: RunTask[];
  committed: number;
}

/** The runs that an unfolded node has begun in its newest superstep: those looked into, of how many. */
export interface InnerRuns {
  node: string;
  runs: string[];
  of: number;
}

export interface Inner {
  states: Record<string, NodeState>;
  runs: InnerRuns[];
}

/** The runs that a node has begun in its newest superstep; those that are not done come first. */
export function childrenOf(node: string, tasks: RunTask[]): string[] {
  const own = tasks.filter((task) => task.node === node);
  const newest = Math.max(...own.map((task) => task.superstep));
  const begun = own.filter((task) => task.superstep === newest && task.child_run_id !== undefined);
  const open = (task: RunTask) => (task.status === 'succeeded' ? 1 : 0);
  return begun.sort((one, other) => open(one) - open(other)).map((task) => task.child_run_id!);
}

/**
 * What the nodes within unfolded subgraphs are doing, as ids of the picture name them: `outer/inner`.
 *
 * @param read reads these children of a run; those that are gone are left out
 */
export async function innerStates(
  run: string,
  tasks: RunTask[],
  unfolded: readonly string[],
  read: (parent: string, children: string[]) => Promise<ChildRun[]>,
  within = '',
): Promise<Inner> {
  const inner: Inner = { states: {}, runs: [] };
  for (const id of unfolded) {
    const node = id.slice(within.length);
    if (!id.startsWith(within) || node.includes('/')) continue;
    const begun = childrenOf(node, tasks);
    if (begun.length === 0) continue;
    const children = await read(run, begun.slice(0, childrenMax));
    inner.runs.push({ node: id, runs: children.map((child) => child.id), of: begun.length });
    for (const child of children) {
      const own = Object.entries(nodeStates(child.tasks, child.committed)).map(([name, state]) => [`${id}/${name}`, state]);
      const deeper = await innerStates(child.id, child.tasks, unfolded, read, `${id}/`);
      inner.states = sumStates(sumStates(inner.states, Object.fromEntries(own) as Inner['states']), deeper.states);
      inner.runs.push(...deeper.runs);
    }
  }
  return inner;
}
