/// What nodes do: the result they give, the Java interface of users' functions, and one sub-package
/// for each kind of node.
@NullMarked
package dev.superstep.node;

import org.jspecify.annotations.NullMarked;
