package dev.superstep.run.start;

import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.checkpoint.row.RunOrigin;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.run.CheckedAnswers;
import dev.superstep.run.ContinueThread;
import dev.superstep.run.ContinueThread.Continued;
import dev.superstep.run.ForkRun;
import dev.superstep.run.check.CallerQuotas;
import dev.superstep.run.start.Continuation.Decision;
import dev.superstep.run.start.ThreadQueue.QueueRoom;
import dev.superstep.run.store.RunFinder;
import dev.superstep.run.store.RunInputEntity;
import dev.superstep.run.store.Threads;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.springframework.stereotype.Component;

/// Goes on with threads, in the caller's transaction: at once if no run of the thread moves, else
/// when that is so, by a run that waits.
@Component
class ThreadContinuer {
  /// Refused by the release before, which knows no such calls.
  private static final ObjectValue MARK = ObjectValue.of("continues", Value.of(true));

  private final Threads threads;
  private final ThreadQueue queue;
  private final Continuation continuation;
  private final Forker forker;
  private final RunEnqueuer enqueuer;
  private final RunFinder runFinder;
  private final RunIds ids;
  private final CallerQuotas quotas;

  ThreadContinuer(
      Threads threads,
      ThreadQueue queue,
      Continuation continuation,
      Forker forker,
      RunEnqueuer enqueuer,
      RunFinder runFinder,
      RunIds ids,
      CallerQuotas quotas) {
    this.threads = threads;
    this.queue = queue;
    this.continuation = continuation;
    this.forker = forker;
    this.enqueuer = enqueuer;
    this.runFinder = runFinder;
    this.ids = ids;
    this.quotas = quotas;
  }

  /// @param checked answers that were checked before the transaction
  /// @param named receives the id of the run before it can go on
  public Continued goOn(ContinueThread call, CheckedAnswers checked, Consumer<String> named) {
    if (threads.findLocked(call.thread()).isEmpty()) {
      throw RunFinder.threadNotFound(call.thread());
    }
    var active = threads.lockActive(call.thread());
    if (active.filter(it -> continuation.answersNow(call, it)).isPresent()) {
      named.accept(active.get().id());
      return continuation.answerNow(call, active.get(), checked);
    }
    if (active.filter(it -> it.status() == RunStatus.INTERRUPTED).isEmpty()) {
      var room = queue.makeRoom(call.thread(), call.ifBusy());
      if (!room.free()) {
        return Continued.started(enqueue(call, room, named));
      }
    }
    return switch (continuation.decide(call, false)) {
      case Decision.NothingToDo(var run) -> Continued.nothing(run.id());
      case Decision.Resume resume -> {
        named.accept(resume.run().id());
        yield continuation.resume(call, resume, checked);
      }
      case Decision.Fork(var request) -> Continued.started(fork(call, request, named));
    };
  }

  /// A run that stands ends where a fork takes its place, and others may have waited for that.
  private String fork(ContinueThread call, ForkRun request, Consumer<String> named) {
    queue.endStopped(call.thread());
    var room = queue.makeRoom(call.thread(), call.ifBusy());
    if (!room.free()) {
      return enqueue(call, room, named);
    }
    var id = forker.fork(request);
    named.accept(id);
    return id;
  }

  /// Stores a run that waits, of the graph that the thread has then, as far as that is known.
  private String enqueue(ContinueThread call, QueueRoom room, Consumer<String> named) {
    var last = queue.last(call.thread());
    quotas.requireBudget(last.origin().graph(), quotas.current());
    var share = quotas.share(call.thread());
    quotas.admit(share);
    var id = ids.next(Tenant.of(call.thread()));
    quotas.lend(id, share.caller());
    named.accept(id);
    var origin = origin(last, room.thread().takeOrdinal(), share.caller());
    var params = runFinder.input(last.id()).params();
    var header = RunFinder.header(id, origin, Map.of(), params, Optional.empty());
    var request =
        new RunInputEntity(header, Canonical.bytes(ObjectValue.empty()), Canonical.bytes(MARK));
    request.continues(call);
    quotas.admitStored(share, request::callBytes);
    enqueuer.enqueueCall(origin, request, call.from());
    return id;
  }

  private static RunOrigin origin(RunEntity last, long ordinal, String caller) {
    var origin = last.origin();
    return new RunOrigin(
        origin.graph(),
        origin.version(),
        origin.priority(),
        origin.threadId(),
        ordinal,
        null,
        null,
        caller);
  }
}
