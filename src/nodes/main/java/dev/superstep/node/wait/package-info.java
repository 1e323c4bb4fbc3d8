/// `wait` nodes: a pause. A run that only waits costs rows, not memory. Begin with
/// [dev.superstep.node.wait.WaitNodeType].
@NullMarked
package dev.superstep.node.wait;

import org.jspecify.annotations.NullMarked;
