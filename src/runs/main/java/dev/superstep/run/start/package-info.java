/// New runs and forks: inserting them, one statement for many, and the queue of a thread. Begin
/// with [dev.superstep.run.start.Starter]; [dev.superstep.run.start.RunInserter] writes.
@NullMarked
package dev.superstep.run.start;

import org.jspecify.annotations.NullMarked;
