/// The state of a run: channels, changes, and folding the changes of a superstep in task order.
/// Values are in `value`, reducers in `reducer`. Begin with [dev.superstep.state.GraphState] and
/// [dev.superstep.state.Fold].
@NullMarked
package dev.superstep.state;

import org.jspecify.annotations.NullMarked;
