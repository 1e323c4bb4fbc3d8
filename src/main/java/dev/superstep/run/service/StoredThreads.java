package dev.superstep.run.service;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.NewThread;
import dev.superstep.run.NewThread.IfExists;
import dev.superstep.run.ThreadService;
import dev.superstep.run.check.ThreadChecks;
import dev.superstep.run.start.RunIds;
import dev.superstep.run.store.RunFinder;
import dev.superstep.run.store.Threads;
import dev.superstep.schedule.replica.DatabaseClock;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Optional;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/// Makes and describes threads under the lock of their row, which the start of a run takes, too.
@Service
class StoredThreads implements ThreadService {
  private final Threads threads;
  private final ThreadChecks checks;
  private final RunIds ids;
  private final DatabaseClock clock;

  StoredThreads(Threads threads, ThreadChecks checks, RunIds ids, DatabaseClock clock) {
    this.threads = threads;
    this.checks = checks;
    this.ids = ids;
    this.clock = clock;
  }

  @Override
  @Transactional
  public Made create(NewThread request) {
    checks.check(request.id(), request.metadata());
    var id = request.id().orElseGet(ids::next);
    var made = threads.create(id);
    if (made.isEmpty() && request.ifExists() == IfExists.REJECT) {
      throw ServiceException.at(
          "/thread_id",
          ErrorCode.THREAD_EXISTS,
          "there is a thread '%s'; choose another id, or say if_exists: do_nothing".formatted(id));
    }
    made.ifPresent(it -> it.describe(request.metadata(), clock.instant()));
    return new Made(id, made.isEmpty());
  }

  @Override
  @Transactional
  public void describe(String thread, ObjectValue metadata) {
    checks.check(Optional.empty(), metadata);
    var locked = threads.findLocked(thread).orElseThrow(() -> RunFinder.threadNotFound(thread));
    var merged = merged(locked.metadata(), metadata);
    checks.check(Optional.empty(), merged);
    locked.describe(merged, clock.instant());
  }

  /// As a JSON merge patch (RFC 7396) merges the members of the outermost object.
  private static ObjectValue merged(ObjectValue old, ObjectValue changes) {
    var merged = old;
    for (var change : changes.asMap().entrySet()) {
      merged =
          change.getValue() instanceof Value.Null
              ? merged.minus(change.getKey())
              : merged.plus(change.getKey(), change.getValue());
    }
    return merged;
  }
}
