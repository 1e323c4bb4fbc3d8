/// What a run is made of: its header and status, its tasks and their identifiers, the budgets they
/// spend, events and signals. Begin with [RunHeader] and [Task].
@NullMarked
package dev.superstep.engine.run;

import org.jspecify.annotations.NullMarked;
