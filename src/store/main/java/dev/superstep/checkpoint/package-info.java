/// What the store promises and how it fails, shared by its packages. `codec` writes values, `row`
/// encodes a checkpoint, `commit` writes it under the fence, `read` loads runs. Begin with
/// [dev.superstep.checkpoint.commit.PostgresCheckpointStore].
@NullMarked
package dev.superstep.checkpoint;

import org.jspecify.annotations.NullMarked;
