package dev.superstep.run;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import java.util.Set;

/// Which threads are wanted: those that meet all conditions.
///
/// @param ids empty: any
/// @param metadata contained in that of the thread
/// @param statuses empty: any
/// @param started only threads that have a run
public record ThreadFilter(
    Set<String> ids, MetadataFilter metadata, Set<ThreadStatus> statuses, boolean started) {
  public static final int IDS_MAX = 1_000;

  /// @throws ServiceException `limit_exceeded` at `/ids`
  public ThreadFilter {
    if (ids.size() > IDS_MAX) {
      throw ServiceException.at(
          "/ids", ErrorCode.LIMIT_EXCEEDED, "may be at most %d".formatted(IDS_MAX));
    }
    ids = Set.copyOf(ids);
    statuses = Set.copyOf(statuses);
  }
}
