/// Results of reading graph definitions: versions, problems, limits. Reading is in `read` (over
/// `form`, `type` and `check`), storing in `store`, the service in `service`. Begin with
/// [dev.superstep.definition.GraphRegistry].
@NullMarked
package dev.superstep.definition;

import org.jspecify.annotations.NullMarked;
