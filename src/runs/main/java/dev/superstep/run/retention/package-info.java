/// How long ended runs are kept, and what is stored. Begin with
/// [dev.superstep.run.retention.RetentionJob], which walks over overdue runs in small batches.
@NullMarked
package dev.superstep.run.retention;

import org.jspecify.annotations.NullMarked;
