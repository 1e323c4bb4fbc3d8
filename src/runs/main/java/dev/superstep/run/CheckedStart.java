package dev.superstep.run;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.definition.Compiled;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ObjectValue;
import java.util.Optional;
import java.util.function.Supplier;

/// A request to start a run, checked before its transaction. What is wrong with it is reported when
/// it is to be started: a repeated call is answered although it would be refused today.
public final class CheckedStart {
  private final StartRun request;
  private final Optional<Accepted> accepted;
  private final Optional<ServiceException> refusal;

  private CheckedStart(
      StartRun request, Optional<Accepted> accepted, Optional<ServiceException> refusal) {
    this.request = request;
    this.accepted = accepted;
    this.refusal = refusal;
  }

  /// @param params the value of each param of the graph
  public record Accepted(Compiled graph, ObjectValue params) {}

  /// @param check finds the graph, and throws what is wrong
  public static CheckedStart of(StartRun request, Supplier<Accepted> check) {
    try {
      return new CheckedStart(request, Optional.of(check.get()), Optional.empty());
    } catch (ServiceException e) {
      return new CheckedStart(request, Optional.empty(), Optional.of(e));
    }
  }

  /// The same with options that need no check against the graph: when and where it begins.
  public CheckedStart with(IfBusy ifBusy, Optional<CheckpointRef> from) {
    var other = request.with(request.options().ifBusy(ifBusy).from(from));
    return new CheckedStart(other, accepted, refusal);
  }

  public StartRun request() {
    return request;
  }

  /// @throws ServiceException what is wrong with the request
  public Accepted accepted() {
    return accepted.orElseThrow(refusal::orElseThrow);
  }
}
