/// Values as CEL sees them, and the work that an evaluation may do. Begin with
/// [dev.superstep.expression.value.WorkBudget].
@NullMarked
package dev.superstep.expression.value;

import org.jspecify.annotations.NullMarked;
