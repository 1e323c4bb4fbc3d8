package dev.superstep.checkpoint;

import dev.superstep.checkpoint.Weights.Outcomes;
import dev.superstep.engine.CheckpointStore.Result;
import dev.superstep.engine.ChildEnd;
import dev.superstep.engine.Commit;
import dev.superstep.engine.Event;
import dev.superstep.engine.Lease;
import dev.superstep.engine.LeaseLostException;
import dev.superstep.engine.News;
import dev.superstep.engine.TaskRecord;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/// Writes that are on disk when their method returns. A superstep is one row in a statement that it
/// shares with whatever other runs commit at that moment; commits that touch more, such as holds,
/// are short transactions. While the database is away it tries for as long as its patience lasts,
/// and it finds out by itself whether a write whose acknowledgement was lost is on disk.
@Component
@SuppressWarnings("checkstyle:ClassFanOutComplexity") // all that a driver writes and reads
class SyncStore {
  private final Supersteps supersteps;
  private final WideWrites wide;
  private final GroupRecord records;
  private final Fence fence;
  private final NewsReader news;
  private final ObjectProvider<ChildEnds> ends;
  private final Weights weights;
  private final Retries retries;

  // One collaborator for each thing that a commit does.
  @SuppressWarnings("checkstyle:ParameterNumber")
  SyncStore(
      Supersteps supersteps,
      WideWrites wide,
      GroupRecord records,
      Fence fence,
      NewsReader news,
      ObjectProvider<ChildEnds> ends,
      StoreSettings settings,
      Weights weights) {
    this.supersteps = supersteps;
    this.wide = wide;
    this.records = records;
    this.fence = fence;
    this.news = news;
    this.ends = ends;
    this.weights = weights;
    this.retries = new Retries(settings.patience());
  }

  Result commit(Lease lease, Commit commit) {
    var row = retries.run(() -> what(lease, commit), () -> row(lease, commit));
    return row != null && Purpose.isPlain(commit)
        ? step(lease, Step.of(commit, row, weights.outcomes(lease.run())))
        : noted(lease, row, left(commit), wide(lease, commit, row));
  }

  /// Writes one plain commit.
  Result step(Lease lease, Step step) {
    var result =
        until(lease, step.commit(), () -> ending(lease, step, supersteps.write(lease, step)));
    return noted(lease, step.row(), Outcomes.NONE, result);
  }

  /// What is recorded behind a commit that is done.
  private static Outcomes left(Commit commit) {
    return Purpose.advances(commit) ? Outcomes.NONE : Outcomes.PERHAPS;
  }

  /// The same without sharing a statement.
  Result stepAlone(Lease lease, Step step) {
    return until(
        lease, step.commit(), () -> ending(lease, step, supersteps.writeAlone(lease, step)));
  }

  private Result noted(Lease lease, @Nullable Row row, Outcomes left, Result result) {
    if (row != null && result instanceof Result.Committed) {
      weights.put(lease.run(), row.number(), row.weight(), left);
    }
    return result;
  }

  private static String what(Lease lease, Commit commit) {
    return "commit of run '%s' behind checkpoint %d".formatted(lease.run(), commit.parent());
  }

  private @Nullable Row row(Lease lease, Commit commit) {
    return commit
        .checkpoint()
        .map(it -> Row.of(it, weights.get(lease.run(), commit.parent())))
        .orElse(null);
  }

  private Optional<Result> ending(Lease lease, Step step, Optional<Instant> written) {
    return written
        .<Result>map(Result.Committed::new)
        .or(() -> fence.refusal(lease, step.commit(), step.row()));
  }

  private Result wide(Lease lease, Commit commit, @Nullable Row row) {
    var lost = new LostAcknowledgement();
    return until(
        lease,
        commit,
        () ->
            wide.commit(lease, commit, row, lost)
                .<Result>map(it -> new Result.Committed(it.at()))
                .or(() -> fence.refusal(lease, commit, row)));
  }

  private Result until(Lease lease, Commit commit, Supplier<Optional<Result>> attempt) {
    while (true) {
      var result = retries.run(() -> what(lease, commit), attempt);
      if (result.isPresent()) {
        return result.get();
      }
    }
  }

  void record(Lease lease, List<TaskRecord> outcomes, List<Event> events) {
    weights.recording(lease.run());
    var lost = new LostAcknowledgement();
    boolean written =
        retries.run(
            () -> "outcomes of run '%s'".formatted(lease.run()),
            () ->
                (Kept.isPlain(outcomes, events) && records.write(new Kept(lease, outcomes)))
                    || wide.record(lease, outcomes, events, lost).isPresent());
    if (!written) {
      throw new LeaseLostException(lease);
    }
  }

  ChildEnd childEnd(String run) {
    return retries.run(() -> "end of run '%s'".formatted(run), () -> ends.getObject().read(run));
  }

  News news(Lease lease) {
    return retries.run(() -> "news of run '%s'".formatted(lease.run()), () -> news.read(lease));
  }

  /// Two statements: what the second one reads includes every answer that the first one has found.
  News expire(Lease lease, List<String> interrupts) {
    return retries.run(
        () -> "questions of run '%s'".formatted(lease.run()),
        () -> {
          wide.expire(lease, interrupts);
          return news.read(lease);
        });
  }
}
