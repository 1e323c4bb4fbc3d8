/// Writes commits under the fence: plain ones in a statement shared with other runs, others in a
/// transaction of their own, outcomes of slices in theirs. The fence is the `where` of the
/// statements: [BatchStatement] and [CommitWriter]; [CommitRefusals] says why it refused. Begin
/// with [PostgresCheckpointStore].
@NullMarked
package dev.superstep.checkpoint.commit;

import org.jspecify.annotations.NullMarked;
