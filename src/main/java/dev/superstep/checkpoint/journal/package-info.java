/// The three durabilities (sync, async, exit) and the store that the engine is given. Begin with
/// [dev.superstep.checkpoint.journal.PostgresCheckpointStore].
@NullMarked
package dev.superstep.checkpoint.journal;

import org.jspecify.annotations.NullMarked;
