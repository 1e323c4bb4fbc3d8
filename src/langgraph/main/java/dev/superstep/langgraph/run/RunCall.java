package dev.superstep.langgraph.run;

import dev.superstep.langgraph.stream.StreamedRun;
import dev.superstep.state.value.ObjectValue;
import java.time.Instant;
import java.util.Optional;

/// A row of `langgraph_run`: a call, and where in which run it begins.
///
/// @param until the `seq` behind which the events of the next call for the same run are
/// @param nothing whether there was nothing to go on with
public record RunCall(
    String id,
    String run,
    Optional<String> thread,
    Begin begin,
    Optional<Long> until,
    Asked asked,
    boolean nothing,
    Instant createdAt) {

  /// A call that a request has made, or that was there already.
  public record Launched(RunCall call, boolean replayed) {}

  /// What clients call its thread: without one, the run is its own.
  public String threadOrRun() {
    return thread.orElse(run);
  }

  RunCall with(Asked more) {
    return new RunCall(id, run, thread, begin, until, more, nothing, createdAt);
  }

  StreamedRun streamed() {
    return new StreamedRun(
        id, threadOrRun(), asked.assistant(), run, begin.after(), until, nothing);
  }

  long after() {
    return begin.after();
  }

  /// Where in its run the call begins.
  ///
  /// @param after the `seq` behind which its events are
  /// @param checkpoint the number behind which its checkpoints are
  public record Begin(long after, int checkpoint) {
    static final Begin START = new Begin(0, -1);
  }

  /// What the call has asked for.
  ///
  /// @param kwargs how it wants to hear of the run, and what it has sent
  public record Asked(
      String assistant, ObjectValue metadata, ObjectValue kwargs, String strategy) {}
}
