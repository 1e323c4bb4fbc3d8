/// Writes commits under the fence ([dev.superstep.checkpoint.commit.Fence]): plain ones in a batch
/// with those of other runs, others in a transaction of their own. Begin with
/// [dev.superstep.checkpoint.commit.SyncStore].
@NullMarked
package dev.superstep.checkpoint.commit;

import org.jspecify.annotations.NullMarked;
