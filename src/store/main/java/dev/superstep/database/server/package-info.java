/// Whether the database server, and what stands between it and this service, keep what the service
/// builds on. Looked at once, at the start. Begin with [ServerCheck].
@NullMarked
package dev.superstep.database.server;

import org.jspecify.annotations.NullMarked;
