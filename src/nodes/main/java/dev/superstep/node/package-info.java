/// What nodes do: the result they give, the Java interface of users' functions, and one sub-package
/// for each kind of node. Begin with [dev.superstep.node.NodeFunction] and
/// [dev.superstep.node.NodeResults].
@NullMarked
package dev.superstep.node;

import org.jspecify.annotations.NullMarked;
