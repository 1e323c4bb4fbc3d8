/// `function` nodes: a Spring bean of the user. Begin with
/// [dev.superstep.node.function.FunctionNodeType].
@NullMarked
package dev.superstep.node.function;

import org.jspecify.annotations.NullMarked;
