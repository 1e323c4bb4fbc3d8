/// Connections of clients that are not authenticated yet: how many one address may have, and how
/// long the head of a request may take. Begin with [GuardedProtocol].
@NullMarked
package dev.superstep.http.connection;

import org.jspecify.annotations.NullMarked;
