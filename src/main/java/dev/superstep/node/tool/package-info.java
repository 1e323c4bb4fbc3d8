/// `tool` nodes, and the tools of this server: Spring beans, HTTP tools, MCP servers.
@NullMarked
package dev.superstep.node.tool;

import org.jspecify.annotations.NullMarked;
