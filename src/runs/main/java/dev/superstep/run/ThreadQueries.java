package dev.superstep.run;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ObjectValue;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads threads. Unknown ids are refused as `thread_not_found`. Lists are newest first.
public interface ThreadQueries {

  ThreadView thread(String id);

  /// The thread without its state.
  ThreadSummary summary(String id);

  /// What clients have noted about the thread; a single statement.
  ObjectValue metadata(String id);

  Page<ThreadSummary> search(ThreadFilter filter, Page.Request page);

  Page<RunSummary> runs(String id, Page.Request page);

  /// The committed checkpoints of all runs of the thread that have begun and were not rolled back.
  Page<ThreadCheckpoint> history(String id, Page.Request page);

  /// A part of that list.
  ///
  /// @param before only checkpoints below this one; empty: all
  List<ThreadCheckpoint> history(String id, Optional<ThreadCheckpointId> before, int limit);

  /// The checkpoint of this id; of the id of a state before an input, the first one of its run.
  ///
  /// @throws ServiceException `checkpoint_not_found`
  ThreadCheckpoint checkpoint(String id, ThreadCheckpointId checkpoint);

  /// A committed checkpoint of one of its runs; empty if the thread does not have it.
  Optional<ThreadCheckpoint> checkpoint(String id, CheckpointRef at);

  /// How many steps of the thread lead to the first checkpoint of each of these runs: one for each
  /// superstep from the beginning of the thread on, and two for each input but the first.
  Map<String, Integer> steps(String id, Collection<String> runs);

  /// A part of all threads that meet the filter, in this order.
  List<ThreadSummary> list(ThreadFilter filter, ThreadOrder order, int offset, int limit);

  /// How many threads meet the filter; not more than `max`.
  long count(ThreadFilter filter, int max);
}
