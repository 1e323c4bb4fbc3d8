package dev.superstep.langgraph.run;

import dev.superstep.run.RunProgress;
import dev.superstep.state.value.ObjectValue;
import java.time.Instant;
import java.util.Optional;

/// A row of `langgraph_run`: a call, and where in which run it begins.
///
/// @param until the `seq` behind which the events of the next call for the same run are
/// @param nothing whether there was nothing to go on with
record RunCall(
    String id,
    String run,
    Optional<String> thread,
    CallStart begin,
    Optional<Long> until,
    CallOptions options,
    boolean nothing,
    Instant createdAt) {

  /// A call that a request has made, or that was there already.
  ///
  /// @param progress of the run that it has begun, if this process drives it
  record Launched(RunCall call, boolean replayed, Optional<RunProgress> progress) {
    Launched(RunCall call, boolean replayed) {
      this(call, replayed, Optional.empty());
    }
  }

  /// What clients call its thread: without one, the run is its own.
  String threadOrRun() {
    return thread.orElse(run);
  }

  RunCall with(CallOptions more) {
    return new RunCall(id, run, thread, begin, until, more, nothing, createdAt);
  }

  StreamedRun streamed() {
    return new StreamedRun(
        id, threadOrRun(), options.assistant(), run, begin.after(), until, nothing);
  }

  long after() {
    return begin.after();
  }

  /// Where in its run the call begins.
  ///
  /// @param after the `seq` behind which its events are
  /// @param checkpoint the number behind which its checkpoints are
  record CallStart(long after, int checkpoint) {
    static final CallStart START = new CallStart(0, -1);
  }

  /// The request of the call.
  ///
  /// @param kwargs which events of the run it wants, and what it has sent
  record CallOptions(String assistant, ObjectValue metadata, ObjectValue kwargs, String strategy) {}
}
