package dev.superstep.node.http;

import java.time.Duration;

/// What all HTTP nodes of the service share.
///
/// @param timeout for a node without one
/// @param requestMax bytes of a request body
record HttpCalls(Redirects redirects, Failures failures, Duration timeout, long requestMax) {}
