package dev.superstep.node.http;

import java.time.Duration;

/// Collaborators and limits that all HTTP nodes share.
///
/// @param timeout for a node without one
/// @param requestMax bytes of a request body
record HttpCalls(Redirects redirects, HttpFailures failures, Duration timeout, long requestMax) {}
