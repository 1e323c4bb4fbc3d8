/// Notifications between replicas over PostgreSQL. Polls find everything without them. Begin with
/// [dev.superstep.schedule.hint.PostgresNotifications].
@NullMarked
package dev.superstep.schedule.hint;

import org.jspecify.annotations.NullMarked;
