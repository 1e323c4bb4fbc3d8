package dev.superstep.run;

import dev.superstep.engine.run.TaskKey;
import java.util.List;
import java.util.Set;

/// A stop of a run in the middle of a superstep: at a question, for a sleep, with a failure.
///
/// @param seq of the stored event that reports the stop
/// @param rests whether the run has come to rest; else it sleeps, or waits for runs of its own
/// @param checkpoint that holds the superstep
/// @param ended the tasks that have succeeded, or whose failure was handled, since the stop before
/// @param asking the tasks that wait for answers, or for runs of their own
/// @param questions ids of those that these tasks ask themselves
public record HeldStop(
    long seq,
    boolean rests,
    int checkpoint,
    List<TaskEnd> ended,
    Set<TaskKey> asking,
    Set<String> questions) {
  public HeldStop {
    ended = List.copyOf(ended);
    asking = Set.copyOf(asking);
    questions = Set.copyOf(questions);
  }
}
