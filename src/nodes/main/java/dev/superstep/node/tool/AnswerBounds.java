package dev.superstep.node.tool;

import java.time.Duration;

/// The bounds on an answer of an MCP server.
///
/// @param server its name
/// @param bytesMax of the whole of it, all events of a stream together
/// @param time for the whole of it; the server may answer the request at once and stay silent then
record AnswerBounds(String server, long bytesMax, Duration time) {}
