/// What all outgoing HTTP calls share. The clients of model providers and of MCP servers, which
/// libraries of their own use, are a [dev.superstep.transport.WrappedHttpClient]; HTTP nodes and
/// tools have the guarded client of `node.outbound` instead.
@NullMarked
package dev.superstep.transport;

import org.jspecify.annotations.NullMarked;
