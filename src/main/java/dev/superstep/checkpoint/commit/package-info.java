/// Writes commits under the fence: plain ones in a statement shared with other runs, others in a
/// transaction of their own. The fence is the `where` of the statements:
/// [dev.superstep.checkpoint.commit.StepStatement],
/// [dev.superstep.checkpoint.commit.BatchStatement],
/// [dev.superstep.checkpoint.commit.CommitStatement]; [dev.superstep.checkpoint.commit.Fence] says
/// why it refused. Begin with [dev.superstep.checkpoint.commit.SyncStore].
@NullMarked
package dev.superstep.checkpoint.commit;

import org.jspecify.annotations.NullMarked;
