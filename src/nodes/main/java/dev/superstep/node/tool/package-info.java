/// Tools of this server by name, the operator's policies, where tools come from, and the node that
/// calls them. Begin with [Tools] and [ToolNode].
@NullMarked
package dev.superstep.node.tool;

import org.jspecify.annotations.NullMarked;
