package dev.superstep.run.drive;

import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.checkpoint.StoredInterrupt.InterruptedTask;
import dev.superstep.checkpoint.StoredInterrupt.Status;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.run.RunProgress;
import dev.superstep.run.RunSummary;
import dev.superstep.run.RunSummary.Standing;
import dev.superstep.run.RunSummary.Times;
import dev.superstep.run.RunView;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Follows a run that was inserted or answered here, so that the client who did so can be answered
/// without reading back what was just written. It shows what the database held at some moment since
/// then.
public final class LocalProgress implements RunProgress {
  private final RunView initial;
  private final Function<ObjectValue, Value> output;
  private final Runnable whenEnded;
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile @Nullable RestingCommit end;

  private record RestingCommit(RunHead head, Checkpoint last, Instant at) {}

  /// @param output computes the output of the run from its final state, and holds no state itself
  public LocalProgress(RunView initial, Function<ObjectValue, Value> output) {
    this(initial, output, () -> {});
  }

  /// @param whenEnded is run when the run is not driven here any more
  public LocalProgress(RunView initial, Function<ObjectValue, Value> output, Runnable whenEnded) {
    this.initial = initial;
    this.output = output;
    this.whenEnded = whenEnded;
  }

  @Override
  public RunView initial() {
    return initial;
  }

  /// A driver of the run has committed. What an earlier driver reports late is passed over.
  ///
  /// @param atRest is run if the run rests, before those who wait learn that it does: what they do
  ///   next finds what this does
  void committed(Commit commit, Instant at, Consumer<LocalProgress> atRest) {
    var runHead = commit.head();
    if (runHead.status() != RunStatus.RUNNING
        && commit.parent() >= initial.summary().standing().checkpoint()) {
      end =
          commit
              .checkpoint()
              .map(Commit.Write::after)
              .filter(it -> isShown(runHead, it))
              .map(it -> new RestingCommit(runHead, it, at))
              .orElse(null);
      try {
        atRest.accept(this);
      } finally {
        over.countDown();
      }
    }
  }

  /// Whether all that a view shows is known: of a run that has succeeded, or one that asks a single
  /// question and nothing else holds it.
  private static boolean isShown(RunHead runHead, Checkpoint last) {
    return switch (runHead.status()) {
      case SUCCEEDED -> true;
      case INTERRUPTED ->
          runHead.breakpoint().isEmpty()
              && questions(last).count() == 1
              && last.held().values().stream().allMatch(LocalProgress::asksOrIsDone);
      case QUEUED, RUNNING, WAITING, FAILED, CANCELLING, CANCELLED -> false;
    };
  }

  private static boolean asksOrIsDone(TaskRecord record) {
    return switch (record.status()) {
      case TaskStatus.Interrupted _,
          TaskStatus.Done _,
          TaskStatus.Handled _,
          TaskStatus.Cancelled _ ->
          true;
      case TaskStatus.Failed _,
          TaskStatus.Rejected _,
          TaskStatus.Open _,
          TaskStatus.Waiting _,
          TaskStatus.Child _,
          TaskStatus.AtWorker _ ->
          false;
    };
  }

  private static Stream<TaskRecord> questions(Checkpoint last) {
    return last.held().values().stream()
        .filter(it -> it.status() instanceof TaskStatus.Interrupted);
  }

  /// Computes the output of the run from its final state, and holds no state itself.
  Function<ObjectValue, Value> output() {
    return output;
  }

  /// The run as it has stopped to ask; empty: it has not, or not for that alone.
  Optional<RunView> asks() {
    return Optional.ofNullable(end)
        .filter(it -> it.head().status() == RunStatus.INTERRUPTED)
        .map(this::view);
  }

  /// Follows the run on behind the answer to its question.
  ///
  /// @param asks what [#asks] has returned
  /// @param output what [#output] has
  static LocalProgress answered(RunView asks, Function<ObjectValue, Value> output) {
    var summary = asks.summary();
    var standing = summary.standing();
    var times = summary.times();
    var goesOn =
        new RunSummary(
            summary.origin(),
            new Standing(
                RunStatus.RUNNING,
                standing.superstep(),
                standing.checkpoint(),
                Optional.empty(),
                Optional.empty()),
            summary.settings(),
            new Times(times.createdAt(), times.startedAt(), Optional.empty(), Optional.empty()));
    return new LocalProgress(
        new RunView(
            goesOn,
            asks.input(),
            asks.params(),
            Optional.empty(),
            List.of(),
            List.of(),
            asks.spent()),
        output);
  }

  /// The run is not driven here any more.
  void ended() {
    over.countDown();
    whenEnded.run();
  }

  @Override
  public Optional<RunView> await(Duration atMost) throws InterruptedException {
    return end(atMost).map(this::view);
  }

  @Override
  public Optional<ObjectValue> awaitState(Duration atMost) throws InterruptedException {
    return end(atMost)
        .filter(it -> it.head().status() == RunStatus.SUCCEEDED)
        .map(it -> it.last().state().channels());
  }

  private Optional<RestingCommit> end(Duration atMost) throws InterruptedException {
    return over.await(atMost.toNanos(), TimeUnit.NANOSECONDS)
        ? Optional.ofNullable(end)
        : Optional.empty();
  }

  private RunView view(RestingCommit reached) {
    var runHead = reached.head();
    var last = reached.last();
    boolean succeeded = runHead.status() == RunStatus.SUCCEEDED;
    var standing =
        new Standing(
            runHead.status(),
            runHead.superstep(),
            last.number(),
            Optional.empty(),
            Optional.empty());
    var summary = initial.summary();
    var times =
        new Times(
            summary.times().createdAt(),
            summary.times().startedAt(),
            succeeded ? Optional.of(reached.at()) : Optional.empty(),
            runHead.wakesAt());
    return new RunView(
        new RunSummary(summary.origin(), standing, summary.settings(), times),
        initial.input(),
        initial.params(),
        succeeded ? Optional.of(output.apply(last.state().channels())) : Optional.empty(),
        questions(last).map(this::question).toList(),
        List.of(),
        TaskRecord.spending(last.pending().spent(), last.held().values()));
  }

  private StoredInterrupt question(TaskRecord asks) {
    if (!(asks.status() instanceof TaskStatus.Interrupted(var interrupt))) {
      throw new IllegalArgumentException("task %s asks nothing".formatted(asks.key()));
    }
    var origin = initial.summary().origin();
    return new StoredInterrupt(
        interrupt,
        new InterruptedTask(origin.id(), origin.graph(), asks.key(), List.of()),
        Status.OPEN,
        Optional.empty(),
        Optional.empty());
  }
}
