import type { Schemas } from '../api/client';
import type { RunTask } from './tasks';

/** Which nodes ran in a superstep of each of two runs, with the number of their tasks. */
export interface Step {
  superstep: number;
  one: string[];
  other: string[];
  same: boolean;
}

/** The paths of two runs beside each other, superstep by superstep. */
export function paths(one: RunTask[], other: RunTask[]): Step[] {
  const [left, right] = [path(one), path(other)];
  return [...new Set([...left.keys(), ...right.keys()])]
    .sort((a, b) => a - b)
    .map((superstep) => {
      const [mine, its] = [left.get(superstep) ?? [], right.get(superstep) ?? []];
      return { superstep, one: mine, other: its, same: mine.join('\n') === its.join('\n') };
    });
}

function path(tasks: RunTask[]): Map<number, string[]> {
  const counts = new Map<number, Map<string, number>>();
  for (const { superstep, node } of tasks) {
    const nodes = counts.get(superstep) ?? new Map<string, number>();
    nodes.set(node, (nodes.get(node) ?? 0) + 1);
    counts.set(superstep, nodes);
  }
  return new Map([...counts].map(([superstep, nodes]) => [superstep, [...nodes].map(([node, count]) => (count > 1 ? `${node} ×${count}` : node)).sort()]));
}

/** What each node of two runs has spent on models, by node. */
export interface UsagePair {
  node: string;
  one?: Schemas['NodeUsage'];
  other?: Schemas['NodeUsage'];
}

export function usagePairs(one: Schemas['NodeUsage'][], other: Schemas['NodeUsage'][]): UsagePair[] {
  const pairs = new Map<string, UsagePair>();
  for (const usage of one) pairs.set(usage.node, { node: usage.node, one: usage });
  for (const usage of other) pairs.set(usage.node, { ...pairs.get(usage.node), node: usage.node, other: usage });
  return [...pairs.values()].sort((a, b) => a.node.localeCompare(b.node));
}
