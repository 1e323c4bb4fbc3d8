import type { Schemas } from '../api/client';

export type NodeTasks = Schemas['NodeTasks'];

/** The tasks of a run by node, as the service counts them: all of them, however many are listed. */
export interface Counts {
  /** The superstep up to which they are settled. */
  superstep: number;
  committed: Map<string, NodeTasks>;
  open: Map<string, NodeTasks>;
}

type Page = Schemas['NodeCounts'];

/** Reads what has come since `before`, which does not change any more; the first time, all. */
export async function readCounts(page: (after?: number, cursor?: string) => Promise<Page>, before?: Counts): Promise<Counts> {
  const first = await page(before?.superstep);
  const committed = new Map<string, NodeTasks>();
  for (let read = first; ; read = await page(before?.superstep, read.next_cursor)) {
    // Newest superstep first: what is there already is newer.
    for (const it of read.committed) committed.set(it.node, sum(committed.get(it.node), it));
    if (read.next_cursor === undefined) break;
  }
  for (const [node, older] of before?.committed ?? []) committed.set(node, sum(committed.get(node), older));
  return { superstep: first.superstep, committed, open: byNode(first.open) };
}

function byNode(nodes: NodeTasks[]): Map<string, NodeTasks> {
  return new Map(nodes.map((it) => [it.node, it]));
}

/** Those of newer supersteps and of older ones together. */
export function sum(newer: NodeTasks | undefined, older: NodeTasks): NodeTasks {
  if (!newer) return older;
  const statuses = { ...newer.statuses };
  for (const [status, count] of Object.entries(older.statuses)) statuses[status] = (statuses[status] ?? 0) + count;
  const failed = newer.failed_task === undefined ? older : newer;
  return {
    node: newer.node,
    superstep: newer.superstep,
    tasks: newer.tasks + older.tasks,
    statuses,
    newest: newer.newest,
    retried: newer.retried + older.retried,
    busy_ms: newer.busy_ms + older.busy_ms,
    longest_ms: Math.max(newer.longest_ms, older.longest_ms),
    failed_task: failed.failed_task,
    failed_code: failed.failed_code,
  };
}

/** How many tasks there are: in all, of a node, with a status. */
export function howMany(counts: Counts, node?: string | null, status?: string | null): number {
  let found = 0;
  for (const part of [counts.committed, counts.open]) {
    for (const it of part.values()) if (!node || it.node === node) found += status ? (it.statuses[status] ?? 0) : it.tasks;
  }
  return found;
}
