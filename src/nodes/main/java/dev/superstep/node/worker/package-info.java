/// `worker` nodes: known to definitions, and not run by this version. Begin with
/// [dev.superstep.node.worker.WorkerNodeType].
@NullMarked
package dev.superstep.node.worker;

import org.jspecify.annotations.NullMarked;
