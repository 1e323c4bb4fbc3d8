/// The only package that uses db-scheduler and its tables. Begin with
/// [dev.superstep.schedule.db.SchedulerTasks].
@NullMarked
package dev.superstep.schedule.db;

import org.jspecify.annotations.NullMarked;
