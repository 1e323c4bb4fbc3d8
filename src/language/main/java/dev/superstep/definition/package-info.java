/// Results of reading graph definitions: versions, problems, limits. Reading is in `read` (over
/// `form`, `type` and `check`), storing in `store`. Begin with [GraphRegistry].
@NullMarked
package dev.superstep.definition;

import org.jspecify.annotations.NullMarked;
