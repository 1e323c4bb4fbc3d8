/// Stored forms: checkpoints, changes, records and heads as JSON, compressed. No SQL. Begin with
/// [dev.superstep.checkpoint.codec.PendingCodec] (activations and dispatches) and
/// [dev.superstep.checkpoint.codec.Snapshot].
@NullMarked
package dev.superstep.checkpoint.codec;

import org.jspecify.annotations.NullMarked;
