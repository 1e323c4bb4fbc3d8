/// Writes commits under the fence: plain ones in a statement shared with other runs, others in a
/// transaction of their own. The fence is the `where` of the statements:
/// [dev.superstep.checkpoint.commit.BatchStatement] and
/// [dev.superstep.checkpoint.commit.CommitWriter]; [dev.superstep.checkpoint.commit.CommitRefusals]
/// says why it refused. Begin with [dev.superstep.checkpoint.commit.PostgresCheckpointStore].
@NullMarked
package dev.superstep.checkpoint.commit;

import org.jspecify.annotations.NullMarked;
