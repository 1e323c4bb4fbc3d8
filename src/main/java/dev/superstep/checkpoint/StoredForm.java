package dev.superstep.checkpoint;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;

/// The form in which runs are stored, counted up when a release changes it: what an older release
/// would not understand, such as another meaning of a member or a new kind of ending. It stands in
/// every stored object (`v`) and, as the newest one of all that belongs to a run, in `run.form`.
///
/// Forms change by expand, then contract (docs/upgrades.md): one release reads the new form and
/// writes the old one; the next one writes the new one.
public final class StoredForm {
  /// The newest that this release reads. It writes the same.
  public static final int NEWEST = 1;

  private StoredForm() {}

  /// Whether the failure says that something stored is of a newer release. Another replica can go
  /// on with the run, or this one once it is upgraded.
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
