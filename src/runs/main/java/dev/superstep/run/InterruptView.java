package dev.superstep.run;

import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// An interrupt of a run as clients see it.
///
/// @param answer only if answered
/// @param answeredBy the caller that answered it; empty where no key was needed
public record InterruptView(
    String id,
    InterruptPath place,
    Question question,
    Status status,
    Optional<Value> answer,
    Optional<String> answeredBy,
    Instant createdAt,
    Optional<Expiry> expiry) {

  /// The task of this run that waits for the answer; empty if the run has nothing to do with it.
  public Optional<TaskKey> task(String run) {
    return place.run().equals(run)
        ? Optional.of(place.task())
        : place.path().stream().filter(it -> it.run().equals(run)).map(Step::task).findFirst();
  }

  /// @param path the tasks that wait for `run`, the outermost first: of its parent, its parent's
  ///   parent and so on (E41); empty if it has none
  public record InterruptPath(String run, String graph, TaskKey task, List<Step> path) {
    public InterruptPath {
      path = List.copyOf(path);
    }
  }

  /// A task that waits for a run.
  public record Step(String run, String graph, TaskKey task) {}

  /// @param schema JSON Schema of the answer
  public record Question(String reason, Value payload, Optional<Value> schema) {}

  /// @param defaultAnswer present: expiry answers with it (`on_expiry: answer`); else it fails
  public record Expiry(Instant at, Optional<Value> defaultAnswer) {}

  public enum Status {
    OPEN,
    ANSWERED,
    EXPIRED,
    CANCELLED;

    /// The name in the API.
    public String apiName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
