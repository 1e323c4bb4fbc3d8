/// `expression` nodes: a node result computed from templates. Begin with
/// [dev.superstep.node.expression.ExpressionNodeType].
@NullMarked
package dev.superstep.node.expression;

import org.jspecify.annotations.NullMarked;
