/// What a run may spend on models and what it has spent. Uses `task`. Begin with
/// [dev.superstep.engine.budget.RunBudget].
@NullMarked
package dev.superstep.engine.budget;

import org.jspecify.annotations.NullMarked;
