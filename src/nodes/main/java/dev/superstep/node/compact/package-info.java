/// `compact` nodes: a channel is compacted now; and the summarizers that need no model. Begin with
/// [dev.superstep.node.compact.CompactNodeType].
@NullMarked
package dev.superstep.node.compact;

import org.jspecify.annotations.NullMarked;
