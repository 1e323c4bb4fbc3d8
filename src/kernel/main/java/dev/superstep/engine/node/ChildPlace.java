package dev.superstep.engine.node;

import dev.superstep.engine.run.Allowance;
import java.time.Duration;

/// The identity of the next run that a task begins. It derives from the task's key, so that a
/// crash, or a replica that has lost the parent, never begins a second one (E41).
///
/// @param run id: derives from the birth id of the parent, the task key and the number
/// @param ordinal from which ids in the child derive (E5). It depends on the parent's, not on run
///   ids, and differs from it: a message of the child never has the id of one of the parent's
/// @param number of the child among those of its task, from 1: a retry begins another
/// @param timeLeft wall time that the parent has left
/// @param left what the parent may still spend on models
public record ChildPlace(String run, long ordinal, int number, Duration timeLeft, Allowance left) {}
