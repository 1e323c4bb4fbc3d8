/// The database that is there when none is configured: a real PostgreSQL, started and stopped with
/// the service. Nothing else in Superstep knows whether its database is this one.
@NullMarked
package dev.superstep.database;

import org.jspecify.annotations.NullMarked;
