/// The rows of runs, checkpoints, outcomes, interrupts and events: the entities that list their
/// columns, encoding them, loading a run from them, and writing commits under the fence, which is
/// the `where` of [BatchStatement] and [CommitWriter]; [CommitRefusals] says why it refused. Begin
/// with [PostgresCheckpointStore] and [RunImages].
@NullMarked
package dev.superstep.checkpoint.row;

import org.jspecify.annotations.NullMarked;
