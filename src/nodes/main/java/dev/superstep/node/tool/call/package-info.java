/// `tool` nodes: plan each call of a message, ask for approval, run, record, answer. Begin with
/// [dev.superstep.node.tool.call.ToolNode].
@NullMarked
package dev.superstep.node.tool.call;

import org.jspecify.annotations.NullMarked;
