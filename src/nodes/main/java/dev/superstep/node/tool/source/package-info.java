/// Kinds of tools: Java, HTTP, MCP, stubs, and those that a graph defines. Begin with
/// [dev.superstep.node.tool.source.ToolConfiguration].
@NullMarked
package dev.superstep.node.tool.source;

import org.jspecify.annotations.NullMarked;
