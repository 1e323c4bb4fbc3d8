import type { Schemas } from '../../api/client';

type Checkpoint = Schemas['ThreadCheckpoint'];
type Reference = Pick<Checkpoint, 'run_id' | 'checkpoint'>;

/** What a run has added to the history of its thread. */
export interface Part {
  run: string;
  first: number;
  last: number;
  at: string;
  /** The checkpoint of another run from whose state it began. */
  from?: Reference;
  /** Something else had gone on from there before. */
  branch: boolean;
  /** Its newest checkpoint that the state of the thread has come through; undefined: it was left behind. */
  kept?: number;
}

const key = ({ run_id: run, checkpoint }: Reference) => `${checkpoint}/${run}`;

/** The checkpoints that the state of the thread has come through, from its newest on. */
function line(checkpoints: Checkpoint[], head: Reference | undefined): Checkpoint[] {
  const known = new Map(checkpoints.map((it) => [key(it), it]));
  const found: Checkpoint[] = [];
  let at = head && known.get(key(head));
  while (at && found.length < checkpoints.length) {
    found.push(at);
    at = at.parent && known.get(key(at.parent));
  }
  return found;
}

/** The history of a thread run by run, newest first, of its checkpoints, newest first. */
export function parts(checkpoints: Checkpoint[], head: Reference | undefined): Part[] {
  const kept = new Map<string, number>();
  for (const { run_id: run, checkpoint } of line(checkpoints, head)) kept.set(run, Math.max(checkpoint, kept.get(run) ?? 0));
  const found = new Map<string, Part>();
  const begun = new Map<string, string>();
  for (const { run_id: run, checkpoint, created_at: at, parent } of checkpoints) {
    const part = found.get(run) ?? { run, first: checkpoint, last: checkpoint, at, branch: false, kept: kept.get(run) };
    part.first = Math.min(part.first, checkpoint);
    if (parent && parent.run_id !== run) part.from = { run_id: parent.run_id, checkpoint: parent.checkpoint };
    // The oldest that goes on from a checkpoint is no branch: what comes later in this list is older.
    if (parent) begun.set(key(parent), run);
    found.set(run, part);
  }
  for (const part of found.values()) part.branch = part.from !== undefined && begun.get(key(part.from)) !== part.run;
  return [...found.values()];
}
