/// What all outgoing HTTP calls share: how a client is built, how an exchange ends in time and with
/// its caller, how a body is unpacked within its limit. HTTP nodes and tools add the egress policy
/// (`node.http`), chat models their keys (`model`). The client of MCP servers alone brings its own,
/// which is the JDK's. Begin with [HttpExchanges].
@NullMarked
package dev.superstep.transport;

import org.jspecify.annotations.NullMarked;
