package dev.superstep.checkpoint;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;

/// The form in which runs are stored, incremented when a release writes what an older release would
/// not understand, such as a new kind of status. It is in every stored object (`v`) and, as the
/// highest of all objects of a run, in `run.form`.
///
/// Forms change by expand, then contract (docs/upgrades.md): one release reads the new form and
/// writes the old one; the next one writes the new one.
public final class StoredForm {
  /// The newest form that this release reads.
  public static final int NEWEST = 2;

  /// That of stored objects.
  public static final int WRITTEN = 1;

  /// That of runs with messages, which an older release would end over what waits, and of their
  /// checkpoints that have taken some, whose records it would take for broken.
  public static final int WITH_MESSAGES = 2;

  /// That of runs that are paused, or have been: an older release would have one go on with an
  /// answer.
  public static final int WITH_PAUSES = 2;

  private StoredForm() {}

  /// Whether the failure means that a stored object is of a newer release. Another replica can
  /// continue the run, or this one once it is upgraded.
  public static boolean isNewer(Throwable failure) {
    return failure instanceof ServiceException known
        && known.code() == ErrorCode.STORED_BY_NEWER_RELEASE;
  }

  public static ServiceException newer(String what) {
    return new ServiceException(
        ErrorCode.STORED_BY_NEWER_RELEASE,
        "%s was stored by a newer release, and this replica reads form %d; ask a replica of that release, or upgrade this one"
            .formatted(what, NEWEST));
  }
}
