/// What the store promises and how it fails, shared by its rooms. `codec` writes values, `row`
/// encodes a checkpoint, `commit` writes it under the fence, `journal` chooses the durability,
/// `read` loads runs. Begin with [dev.superstep.checkpoint.journal.PostgresCheckpointStore].
@NullMarked
package dev.superstep.checkpoint;

import org.jspecify.annotations.NullMarked;
