package dev.superstep.langgraph.thread;

import dev.superstep.engine.run.RunStatus;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.RunService;
import dev.superstep.run.ThreadFilter;
import dev.superstep.run.ThreadQueries;
import dev.superstep.run.view.Page;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;

/// Erases threads. For a client of this API a thread that waits for a person is not busy: its run
/// is cancelled first.
@Component
@OnLangGraph
public class ThreadEraser {
  private static final int RUNS_MAX = 200;
  private final ThreadQueries threads;
  private final RunService runs;

  ThreadEraser(ThreadQueries threads, RunService runs) {
    this.threads = threads;
    this.runs = runs;
  }

  /// Erases all threads in which this assistant ran last.
  public void eraseAllOf(String assistant) {
    var metadata = ObjectValue.of(ThreadLabels.ASSISTANT, Value.of(assistant));
    var filter = new ThreadFilter(Set.of(), metadata, Set.of(), false);
    for (var cursor = Optional.<String>empty(); ; ) {
      var page = threads.search(filter, new Page.Request(cursor, RUNS_MAX));
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

  public void erase(String thread) {
    for (var run : threads.runs(thread, Page.Request.first(RUNS_MAX)).items()) {
      if (run.status() == RunStatus.INTERRUPTED) {
        runs.cancel(run.id());
      }
    }
    runs.deleteThread(thread);
  }
}
