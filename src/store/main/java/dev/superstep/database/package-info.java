/// The connection pools of a replica, what is checked of a server, what is logged while the
/// database is away, and the database that is there when none is configured: a real PostgreSQL,
/// started and stopped with the service. Only the message at the start says whether the database is
/// this one. Begin with [Pools] and [EmbeddedDatabase].
@NullMarked
package dev.superstep.database;

import org.jspecify.annotations.NullMarked;
