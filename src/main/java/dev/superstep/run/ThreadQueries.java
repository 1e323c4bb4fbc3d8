package dev.superstep.run;

import dev.superstep.run.view.Page;
import dev.superstep.run.view.RunSummary;
import dev.superstep.run.view.ThreadCheckpoint;
import dev.superstep.run.view.ThreadSummary;
import dev.superstep.run.view.ThreadView;

/// Reads threads. Unknown ids are refused as `thread_not_found`. Lists are newest first.
public interface ThreadQueries {

  ThreadView thread(String id);

  /// The thread without its state.
  ThreadSummary summary(String id);

  Page<ThreadSummary> search(ThreadFilter filter, Page.Request page);

  Page<RunSummary> runs(String id, Page.Request page);

  /// The committed checkpoints of all runs of the thread that have begun and were not rolled back.
  Page<ThreadCheckpoint> history(String id, Page.Request page);
}
