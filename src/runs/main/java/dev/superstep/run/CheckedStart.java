package dev.superstep.run;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.definition.Compiled;
import dev.superstep.definition.GraphRegistry.Shown;
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
  private final Optional<ObjectValue> companion;

  private CheckedStart(
      StartRun request,
      Optional<Accepted> accepted,
      Optional<ServiceException> refusal,
      Optional<ObjectValue> companion) {
    this.request = request;
    this.accepted = accepted;
    this.refusal = refusal;
    this.companion = companion;
  }

  /// @param params the value of each param of the graph
  /// @param remembered which versions of the graph can be started, if that was not looked up: the
  ///   run is only inserted if it still holds
  public record Accepted(Compiled graph, ObjectValue params, Optional<Shown> remembered) {}

  /// @param check finds the graph, and throws what is wrong
  public static CheckedStart of(StartRun request, Supplier<Accepted> check) {
    try {
      return new CheckedStart(
          request, Optional.of(check.get()), Optional.empty(), Optional.empty());
    } catch (ServiceException e) {
      return new CheckedStart(request, Optional.empty(), Optional.of(e), Optional.empty());
    }
  }

  /// The same with options that need no check against the graph: when and where it begins.
  public CheckedStart with(IfBusy ifBusy, Optional<CheckpointRef> from) {
    var other = request.with(request.options().ifBusy(ifBusy).from(from));
    return new CheckedStart(other, accepted, refusal, companion);
  }

  /// Accepted or refused against what is remembered of the graph.
  public CheckedStart remembering(Shown shown) {
    var other = accepted.map(it -> new Accepted(it.graph(), it.params(), Optional.of(shown)));
    return new CheckedStart(request, other, refusal, companion);
  }

  /// With what the [CompanionRows] insert beside the run, unless that has to wait for its thread.
  public CheckedStart beside(ObjectValue row) {
    return new CheckedStart(request, accepted, refusal, Optional.of(row));
  }

  /// What is inserted beside the run.
  public Optional<ObjectValue> companion() {
    return companion;
  }

  public boolean isRefused() {
    return refusal.isPresent();
  }

  public StartRun request() {
    return request;
  }

  /// @throws ServiceException what is wrong with the request
  public Accepted accepted() {
    return accepted.orElseThrow(refusal::orElseThrow);
  }
}
