package dev.superstep.langgraph.run;

import dev.superstep.engine.run.RunStatus;
import dev.superstep.langgraph.GraphMessages;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.run.StreamPart.ValuesPart;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunSummary;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Reads what a call that has waited for a run answers.
@Component
@OnLangGraph
class FinalValues {
  private static final String ERROR = "__error__";

  private final RunQueries queries;
  private final GraphMessages channels;

  FinalValues(RunQueries queries, GraphMessages channels) {
    this.queries = queries;
    this.channels = channels;
  }

  /// The state, with the open questions if the run has stopped; the error if it has failed.
  ObjectValue of(RunSummary run) {
    var error = run.standing().error();
    if (run.status() == RunStatus.FAILED && error.isPresent()) {
      var failure = error.get().error();
      return error(failure.code(), failure.message());
    }
    var state =
        run.times().startedAt().isPresent()
            ? channels
                .of(run.origin().graph(), run.origin().version())
                .toWire(queries.stateWithPending(run.id(), Optional.empty()))
            : ObjectValue.empty();
    return run.status() == RunStatus.INTERRUPTED
        ? new ValuesPart(state, Optional.of(queries.run(run.id()).interrupts())).data()
        : state;
  }

  /// What clients throw as an error.
  static ObjectValue error(String code, String message) {
    return ObjectValue.of(
        ERROR, ObjectValue.of("error", Value.of(code)).plus("message", Value.of(message)));
  }
}
