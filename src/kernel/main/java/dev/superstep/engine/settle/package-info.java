/// Folds the outcomes of a superstep into the next state, context and routing, in task order, and
/// enforces the limits of dispatches and of a run's size. Pure. Begin with
/// [dev.superstep.engine.settle.SuperstepReducer].
@NullMarked
package dev.superstep.engine.settle;

import org.jspecify.annotations.NullMarked;
