package dev.superstep.checkpoint;

import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A question to a person, with its status and answer (E35).
///
/// @param answer only if answered
/// @param answeredBy the caller that answered it; empty where no key was needed
/// @param assignment whose it is now
public record StoredInterrupt(
    TaskRecord.Interrupt question,
    InterruptedTask place,
    Status status,
    Optional<Value> answer,
    Optional<String> answeredBy,
    Assignment assignment) {

  /// One that is whose it was when it was asked.
  public StoredInterrupt(
      TaskRecord.Interrupt question,
      InterruptedTask place,
      Status status,
      Optional<Value> answer,
      Optional<String> answeredBy) {
    this(question, place, status, answer, answeredBy, Assignment.of(question));
  }

  /// Whose a question is.
  ///
  /// @param assignee who alone is to answer it
  /// @param candidates who may, while it has no assignee; empty: anybody
  public record Assignment(Optional<String> assignee, List<String> candidates) {
    public Assignment {
      candidates = List.copyOf(candidates);
    }

    static Assignment of(TaskRecord.Interrupt question) {
      var whom = question.addressees();
      return new Assignment(whom.assignee(), whom.candidates());
    }
  }

  public String id() {
    return question.id();
  }

  /// The task of this run that waits for the answer; empty if the run has nothing to do with it.
  public Optional<TaskKey> task(String run) {
    return place.run().equals(run)
        ? Optional.of(place.task())
        : place.path().stream().filter(it -> it.run().equals(run)).map(Step::task).findFirst();
  }

  /// What happens when the question expires; null: it does not.
  public static @Nullable String onExpiry(TaskRecord.Interrupt question) {
    if (question.expiresAt().isEmpty()) {
      return null;
    }
    return question.defaultAnswer().isPresent() ? "answer" : "fail";
  }

  /// The same with the tasks that wait for its run.
  public StoredInterrupt below(List<Step> path) {
    var located = new InterruptedTask(place.run(), place.graph(), place.task(), path);
    return new StoredInterrupt(question, located, status, answer, answeredBy, assignment);
  }

  /// The task that asks.
  ///
  /// @param path the tasks that wait for `run`, the outermost first: of its parent, its parent's
  ///   parent and so on (E41); empty if it has none, or they were not read
  public record InterruptedTask(String run, String graph, TaskKey task, List<Step> path) {
    public InterruptedTask {
      path = List.copyOf(path);
    }
  }

  /// A task that waits for a run.
  public record Step(String run, String graph, TaskKey task) {}

  public enum Status {
    OPEN,
    ANSWERED,
    EXPIRED,
    CANCELLED;

    /// The name in the API and in the table.
    public String apiName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
