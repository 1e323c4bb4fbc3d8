package dev.superstep.langgraph.thread;

import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.MetadataFilter;
import dev.superstep.run.Page;
import dev.superstep.run.RunService;
import dev.superstep.run.ThreadFilter;
import dev.superstep.run.ThreadQueries;
import dev.superstep.run.ThreadStatus;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/// Erases threads. For a client of this API a thread that waits for a person is not busy: its run
/// is cancelled first.
@Component
@OnLangGraph
class ThreadEraser {
  private static final int PAGE = 200;
  private final ThreadQueries threads;
  private final RunService runs;
  private final TransactionOperations transaction;

  ThreadEraser(ThreadQueries threads, RunService runs, TransactionOperations transaction) {
    this.threads = threads;
    this.runs = runs;
    this.transaction = transaction;
  }

  /// Erases all threads in which this assistant ran last.
  public void eraseAllOf(String assistant) {
    var metadata = ObjectValue.of(ThreadLabels.ASSISTANT, Value.of(Tenant.shown(assistant)));
    var filter = new ThreadFilter(Set.of(), new MetadataFilter(metadata), Set.of(), false);
    for (var cursor = Optional.<String>empty(); ; ) {
      var page = threads.search(filter, new Page.Request(cursor, PAGE));
      page.items().forEach(it -> erase(it.id()));
      if (page.next().isEmpty()) {
        return;
      }
      cursor = page.next();
    }
  }

  /// @return whether there was one
  boolean eraseIfThere(String thread) {
    try {
      erase(thread);
      return true;
    } catch (ServiceException e) {
      if (e.code() == ErrorCode.THREAD_NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }

  /// Nothing ends if the thread is refused: a question of it stays open.
  ///
  /// @throws ServiceException `thread_busy` if another run of it is active or waits for its turn
  public void erase(String thread) {
    transaction.executeWithoutResult(_ -> {
      runs.endStopped(thread);
      if (threads.summary(thread).status() == ThreadStatus.BUSY) {
        throw new ServiceException(
            ErrorCode.THREAD_BUSY,
            "thread '%s' has a run that goes on; wait for it or cancel it".formatted(thread));
      }
    });
    runs.deleteThread(thread);
  }
}
