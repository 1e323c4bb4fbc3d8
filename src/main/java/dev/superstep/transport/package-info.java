/// What the HTTP clients of model providers and of MCP servers share, which libraries of their own
/// use. Begin with [dev.superstep.transport.WrappedHttpClient]. HTTP nodes and tools have the
/// guarded client of `node.outbound` instead.
@NullMarked
package dev.superstep.transport;

import org.jspecify.annotations.NullMarked;
