/// Outcomes of tasks that are stored before their superstep commits. Begin with
/// [dev.superstep.checkpoint.outcome.GroupRecord].
@NullMarked
package dev.superstep.checkpoint.outcome;

import org.jspecify.annotations.NullMarked;
