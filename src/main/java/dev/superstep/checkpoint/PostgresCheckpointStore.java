package dev.superstep.checkpoint;

import dev.superstep.engine.CheckpointStore;
import dev.superstep.engine.Commit;
import dev.superstep.engine.Event;
import dev.superstep.engine.Lease;
import dev.superstep.engine.LeaseLostException;
import dev.superstep.engine.News;
import dev.superstep.engine.TaskRecord;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Checkpoints on PostgreSQL. A superstep is one statement and one round trip; commits that touch
/// more, such as holds, are short transactions. While the database is away it tries for as long as
/// its patience lasts, and it finds out by itself whether a write whose acknowledgement was lost is
/// on disk.
@Component
final class PostgresCheckpointStore implements CheckpointStore {
  private final CommitStatement statement;
  private final WideWrites wide;
  private final Fence fence;
  private final NewsReader news;
  private final Weights weights;
  private final Retries retries;

  // One collaborator for each thing that a commit does.
  @SuppressWarnings("checkstyle:ParameterNumber")
  PostgresCheckpointStore(
      CommitStatement statement,
      WideWrites wide,
      Fence fence,
      NewsReader news,
      StoreSettings settings,
      Weights weights) {
    this.statement = statement;
    this.wide = wide;
    this.fence = fence;
    this.news = news;
    this.weights = weights;
    this.retries = new Retries(settings.patience());
  }

  @Override
  public Result commit(Lease lease, Commit commit) {
    var what = "commit of run '%s' behind checkpoint %d".formatted(lease.run(), commit.parent());
    var row = retries.run(what, () -> row(lease, commit));
    var lost = new LostAcknowledgement();
    while (true) {
      var result = retries.run(what, () -> attempt(lease, commit, row, lost));
      if (result.isPresent()) {
        if (row != null && result.get() instanceof Result.Committed) {
          weights.put(lease.run(), row.number(), row.weight());
        }
        return result.get();
      }
    }
  }

  private @Nullable Row row(Lease lease, Commit commit) {
    return commit
        .checkpoint()
        .map(it -> Row.of(it, weights.get(lease.run(), commit.parent())))
        .orElse(null);
  }

  private Optional<Result> attempt(
      Lease lease, Commit commit, @Nullable Row row, LostAcknowledgement lost) {
    var written =
        Purpose.isPlain(commit)
            ? statement.execute(lease, commit, row)
            : wide.commit(lease, commit, row, lost);
    return written
        .<Result>map(it -> new Result.Committed(it.at()))
        .or(() -> fence.refusal(lease, commit, row));
  }

  @Override
  public void record(Lease lease, List<TaskRecord> records, List<Event> events) {
    var lost = new LostAcknowledgement();
    var written =
        retries.run(
            "outcomes of run '%s'".formatted(lease.run()),
            () -> wide.record(lease, records, events, lost));
    if (written.isEmpty()) {
      throw new LeaseLostException(lease);
    }
  }

  @Override
  public News news(Lease lease) {
    return retries.run("news of run '%s'".formatted(lease.run()), () -> news.read(lease));
  }
}
