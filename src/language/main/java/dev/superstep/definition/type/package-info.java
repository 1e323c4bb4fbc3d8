/// The interface of node types. Begin with [dev.superstep.definition.type.NodeType].
@NullMarked
package dev.superstep.definition.type;

import org.jspecify.annotations.NullMarked;
