/// The state of a run: channels, their reducers, changes, and folding the changes of a superstep in
/// task order. Begin with [GraphState] and [Fold].
@NullMarked
package dev.superstep.state;

import org.jspecify.annotations.NullMarked;
