/// `fail` nodes: end the run with an error of the graph's own. Begin with
/// [dev.superstep.node.fail.FailNodeType].
@NullMarked
package dev.superstep.node.fail;

import org.jspecify.annotations.NullMarked;
