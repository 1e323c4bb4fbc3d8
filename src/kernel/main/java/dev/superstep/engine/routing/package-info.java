/// Which tasks come next: planning activations, following edges and dispatches, deciding joins.
/// Pure. Begin with [dev.superstep.engine.routing.Planner] and
/// [dev.superstep.engine.routing.Router]; joins are in [dev.superstep.engine.routing.Joins].
@NullMarked
package dev.superstep.engine.routing;

import org.jspecify.annotations.NullMarked;
