/// The streaming protocol of the LangGraph Agent Server for whole threads: commands, and streams
/// that stay open over runs. Begin with [dev.superstep.langgraph.protocol.ProtocolController].
@NullMarked
package dev.superstep.langgraph.protocol;

import org.jspecify.annotations.NullMarked;
