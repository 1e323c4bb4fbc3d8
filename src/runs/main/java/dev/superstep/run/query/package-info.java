/// Answers queries about runs from the database: details, tasks, checkpoints, diagrams, open
/// interrupts. Begin with [dev.superstep.run.query.StoredRunQueries].
@NullMarked
package dev.superstep.run.query;

import org.jspecify.annotations.NullMarked;
