package dev.superstep.run.start;

import dev.superstep.audit.AuditAction;
import dev.superstep.audit.AuditLog;
import dev.superstep.problem.Callers;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.NewThread;
import dev.superstep.run.NewThread.IfExists;
import dev.superstep.run.ThreadService;
import dev.superstep.run.check.CallerQuotas;
import dev.superstep.run.check.ThreadChecks;
import dev.superstep.run.store.RunFinder;
import dev.superstep.run.store.ThreadCopier;
import dev.superstep.run.store.ThreadCopier.Copied;
import dev.superstep.run.store.ThreadEntity;
import dev.superstep.run.store.Threads;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Share;
import dev.superstep.tenant.Tenant;
import java.util.Optional;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/// Makes and describes threads under the lock of their row, which the start of a run takes, too.
@Service
class StoredThreads implements ThreadService {
  private static final int COPIED_MAX = 1_000;
  private final Threads threads;
  private final ThreadChecks checks;
  private final RunIds ids;
  private final DatabaseClock clock;
  private final ThreadCopier copier;
  private final CallerQuotas quotas;
  private final Callers callers;
  private final AuditLog audit;

  StoredThreads(
      Threads threads,
      ThreadChecks checks,
      RunIds ids,
      DatabaseClock clock,
      ThreadCopier copier,
      CallerQuotas quotas,
      Callers callers,
      AuditLog audit) {
    this.audit = audit;
    this.copier = copier;
    this.quotas = quotas;
    this.callers = callers;
    this.threads = threads;
    this.checks = checks;
    this.ids = ids;
    this.clock = clock;
  }

  @Override
  @Transactional
  public Made create(NewThread request) {
    checks.check(request.id(), request.metadata());
    var id = request.id().orElseGet(() -> ids.next(Tenant.current()));
    var made = threads.create(id);
    if (made.isEmpty() && request.ifExists() == IfExists.REJECT) {
      throw ServiceException.at(
          "/thread_id",
          ErrorCode.THREAD_EXISTS,
          "there is a thread '%s'; choose another id, or say if_exists: do_nothing".formatted(id));
    }
    made.ifPresent(it -> {
      describe(it, request.metadata());
      audit.record(AuditAction.THREAD_CREATE, id);
    });
    return new Made(id, made.isEmpty());
  }

  @Override
  @Transactional
  public void describe(String thread, ObjectValue metadata) {
    checks.check(Optional.empty(), metadata);
    var locked = threads.findLocked(thread).orElseThrow(() -> RunFinder.threadNotFound(thread));
    var merged = merged(locked.metadata(), metadata);
    checks.check(Optional.empty(), merged);
    describe(locked, merged);
    audit.record(AuditAction.THREAD_UPDATE, thread);
  }

  private void describe(ThreadEntity thread, ObjectValue metadata) {
    var caller = quotas.admitStored(() -> Canonical.size(metadata));
    thread.describe(metadata, clock.instant(), caller);
  }

  @Override
  @Transactional
  public String copy(String thread) {
    var metadata = threads.metadata(thread);
    var runs = copier.list(thread, COPIED_MAX + 1);
    if (runs.size() > COPIED_MAX) {
      throw new ServiceException(
          ErrorCode.LIMIT_EXCEEDED,
          "thread '%s' has more than %d runs; that is too much to copy"
              .formatted(thread, COPIED_MAX));
    }
    var share = Share.of(thread, callers.current());
    quotas.admitStored(share, () -> runs.stream().mapToLong(Copied::bytes).sum());
    var tenant = Tenant.of(thread);
    var id = ids.next(tenant);
    var made = threads.create(id).orElseThrow();
    made.describe(metadata, clock.instant(), share.caller());
    copier.copy(thread, runs, id, share.caller(), () -> ids.next(tenant));
    audit.record(AuditAction.THREAD_COPY, id);
    return id;
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
