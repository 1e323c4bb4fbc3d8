package dev.superstep.run.query;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.Page;
import dev.superstep.run.RunSummary;
import dev.superstep.run.ThreadCheckpoint;
import dev.superstep.run.ThreadCheckpointId;
import dev.superstep.run.ThreadFilter;
import dev.superstep.run.ThreadOrder;
import dev.superstep.run.ThreadQueries;
import dev.superstep.run.ThreadSummary;
import dev.superstep.run.ThreadView;
import dev.superstep.run.store.RunFinder;
import dev.superstep.run.store.Threads;
import dev.superstep.state.value.ObjectValue;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/// Reads threads from the database: each answer is of one moment.
@Service
@Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
class StoredThreadQueries implements ThreadQueries {
  private final ThreadHeads threadHeads;
  private final RunHeads runHeads;
  private final ThreadHistory threadHistory;
  private final Threads threads;

  StoredThreadQueries(
      ThreadHeads threadHeads, RunHeads runHeads, ThreadHistory threadHistory, Threads threads) {
    this.threadHistory = threadHistory;
    this.threadHeads = threadHeads;
    this.runHeads = runHeads;
    this.threads = threads;
  }

  @Override
  public ThreadView thread(String id) {
    var summary = summary(id);
    var head = threads.head(id);
    return new ThreadView(
        summary,
        threads.headRun(id).flatMap(run -> head.map(it -> new CheckpointRef(run, it.number()))),
        head.map(it -> it.state().channels()).orElse(ObjectValue.empty()));
  }

  @Override
  public ThreadSummary summary(String id) {
    return threadHeads.find(id).orElseThrow(() -> RunFinder.threadNotFound(id));
  }

  @Override
  @Transactional(propagation = Propagation.SUPPORTS)
  public ObjectValue metadata(String id) {
    return threadHeads.metadata(id).orElseThrow(() -> RunFinder.threadNotFound(id));
  }

  @Override
  public Page<ThreadSummary> search(ThreadFilter filter, Page.Request page) {
    return threadHeads.search(filter, page);
  }

  @Override
  public Page<RunSummary> runs(String id, Page.Request page) {
    threads.checkExists(id);
    return runHeads.ofThread(id, page);
  }

  @Override
  public Page<ThreadCheckpoint> history(String id, Page.Request page) {
    threads.checkExists(id);
    return threadHistory.list(id, page);
  }

  @Override
  public List<ThreadCheckpoint> history(String id, Optional<ThreadCheckpointId> before, int limit) {
    threads.checkExists(id);
    return threadHistory.list(id, before, limit);
  }

  @Override
  public ThreadCheckpoint checkpoint(String id, ThreadCheckpointId checkpoint) {
    threads.checkExists(id);
    return threadHistory
        .find(id, checkpoint)
        .orElseThrow(() ->
            new ServiceException(
                ErrorCode.CHECKPOINT_NOT_FOUND,
                "thread '%s' has no checkpoint '%s'".formatted(id, checkpoint.text())));
  }

  @Override
  public Optional<ThreadCheckpoint> checkpoint(String id, CheckpointRef at) {
    return threadHistory.find(id, at);
  }

  @Override
  public Map<String, Integer> steps(String id, Collection<String> runs) {
    return threadHistory.steps(id, runs);
  }

  @Override
  public List<ThreadSummary> list(ThreadFilter filter, ThreadOrder order, int offset, int limit) {
    return threadHeads.list(filter, order, offset, limit);
  }

  @Override
  public long count(ThreadFilter filter, int max) {
    return threadHeads.count(filter, max);
  }
}
