/// Stored forms: checkpoints, changes, records and heads as JSON, compressed. No SQL. Begin with
/// [dev.superstep.checkpoint.codec.Content] (what each checkpoint row stores),
/// [dev.superstep.checkpoint.codec.PendingCodec] (activations and dispatches in it) and
/// [dev.superstep.checkpoint.codec.Snapshot].
@NullMarked
package dev.superstep.checkpoint.codec;

import org.jspecify.annotations.NullMarked;
