package dev.superstep.node.outbound;

import java.time.Duration;

/// Collaborators and limits that all HTTP nodes share.
///
/// @param timeout for a node without one
/// @param requestMax bytes of a request body
public record HttpCalls(
    Redirects redirects, HttpFailures failures, Duration timeout, long requestMax) {}
