/// What nodes do: the result they give, the Java interface of users' functions, and the kinds of
/// nodes that need nothing else; `http`, `llm` and `tool` are packages of their own. Begin with
/// [NodeFunction] and [NodeResults].
@NullMarked
package dev.superstep.node;

import org.jspecify.annotations.NullMarked;
