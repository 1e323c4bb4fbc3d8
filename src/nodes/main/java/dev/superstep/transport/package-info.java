/// What all outgoing HTTP calls share: how a client is built, how an exchange ends in time and with
/// its caller, how a body is unpacked within its limit. HTTP nodes and tools add the egress policy
/// (`node.outbound`), chat models their keys (`model.http`). The client of MCP servers alone brings
/// its own, which is the JDK's. Begin with [dev.superstep.transport.HttpExchanges].
@NullMarked
package dev.superstep.transport;

import org.jspecify.annotations.NullMarked;
