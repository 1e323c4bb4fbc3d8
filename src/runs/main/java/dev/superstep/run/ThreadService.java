package dev.superstep.run;

import dev.superstep.state.value.ObjectValue;

/// Makes and describes threads for clients. Every method is one transaction, or part of the
/// caller's, and throws a `ServiceException` for errors that the client can correct.
///
/// A thread that is made or described here stays when its last run is erased; one that a run has
/// made goes with its last run.
public interface ThreadService {

  /// Makes a thread without runs.
  Made create(NewThread request);

  /// Merges `metadata` into that of the thread: members replace those of the same name, null
  /// removes them.
  void describe(String thread, ObjectValue metadata);

  /// Copies a thread with its metadata, its runs, and all of their checkpoints. Runs that wait for
  /// the thread are not copied, and a copy of one that has not ended is cancelled where that
  /// stands.
  ///
  /// @return id of the new thread
  String copy(String thread);

  /// @param existed there was such a thread, which has not been changed
  record Made(String thread, boolean existed) {}
}
