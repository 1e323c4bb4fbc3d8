package dev.superstep.run.drive;

import dev.superstep.engine.checkpoint.Commit;
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
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Follows a run that was inserted here, so that the client who started it can be answered without
/// reading back what was just written. It shows what the database held at some moment since the
/// insert.
public final class LocalProgress implements RunProgress {
  private final RunView inserted;
  private final Function<ObjectValue, Value> output;
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile @Nullable EndingCommit end;

  private record EndingCommit(Commit commit, Instant at) {}

  /// @param output computes the output of the run from its final state
  public LocalProgress(RunView inserted, Function<ObjectValue, Value> output) {
    this.inserted = inserted;
    this.output = output;
  }

  @Override
  public RunView inserted() {
    return inserted;
  }

  /// The driver has committed.
  void committed(Commit commit, Instant at) {
    if (commit.head().status() != RunStatus.RUNNING) {
      if (commit.head().status() == RunStatus.SUCCEEDED && commit.checkpoint().isPresent()) {
        end = new EndingCommit(commit, at);
      }
      over.countDown();
    }
  }

  /// The run is not driven here any more.
  void ended() {
    over.countDown();
  }

  @Override
  public Optional<RunView> await(Duration atMost) throws InterruptedException {
    if (!over.await(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
      return Optional.empty();
    }
    return Optional.ofNullable(end).flatMap(this::view);
  }

  private Optional<RunView> view(EndingCommit reached) {
    var summary = inserted.summary();
    var runHead = reached.commit().head();
    return reached
        .commit()
        .checkpoint()
        .map(it -> it.after())
        .map(last -> {
          var standing =
              new Standing(
                  runHead.status(),
                  runHead.superstep(),
                  last.number(),
                  Optional.empty(),
                  Optional.empty());
          var times =
              new Times(
                  summary.times().createdAt(),
                  summary.times().startedAt(),
                  Optional.of(reached.at()),
                  Optional.empty());
          return new RunView(
              new RunSummary(summary.origin(), standing, summary.settings(), times),
              inserted.input(),
              inserted.params(),
              Optional.of(output.apply(last.state().channels())),
              inserted.interrupts(),
              inserted.failedTasks(),
              last.pending().spent());
        });
  }
}
