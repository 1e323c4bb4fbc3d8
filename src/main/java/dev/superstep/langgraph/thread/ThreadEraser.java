package dev.superstep.langgraph.thread;

import dev.superstep.engine.run.RunStatus;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.run.RunService;
import dev.superstep.run.ThreadQueries;
import dev.superstep.run.view.Page;
import org.springframework.stereotype.Component;

/// Erases threads. For a client of this API a thread that waits for a person is not busy: its run
/// is cancelled first.
@Component
@OnLangGraph
class ThreadEraser {
  private static final int RUNS_MAX = 200;
  private final ThreadQueries threads;
  private final RunService runs;

  ThreadEraser(ThreadQueries threads, RunService runs) {
    this.threads = threads;
    this.runs = runs;
  }

  void erase(String thread) {
    for (var run : threads.runs(thread, Page.Request.first(RUNS_MAX)).items()) {
      if (run.status() == RunStatus.INTERRUPTED) {
        runs.cancel(run.id());
      }
    }
    runs.deleteThread(thread);
  }
}
