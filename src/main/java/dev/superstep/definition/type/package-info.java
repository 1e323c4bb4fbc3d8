/// What a node type is, for those who write one. Begin with
/// [dev.superstep.definition.type.NodeType].
@NullMarked
package dev.superstep.definition.type;

import org.jspecify.annotations.NullMarked;
