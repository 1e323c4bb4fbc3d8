/// Tasks of a superstep and what they return: keys, dispatches, node results, errors, questions.
/// The lowest room of the engine: uses graphs and states only. Begin with
/// [dev.superstep.engine.task.Task] and [dev.superstep.engine.task.NodeResult].
@NullMarked
package dev.superstep.engine.task;

import org.jspecify.annotations.NullMarked;
