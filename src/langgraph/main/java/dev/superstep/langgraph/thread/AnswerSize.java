package dev.superstep.langgraph.thread;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;

/// How large the answer of one call has become. It is built in memory, and a caller could ask for
/// more than fits there.
final class AnswerSize {
  static final long BYTES_MAX = 16L << 20;
  private long taken;

  /// @return the member; the first is taken whatever its size: a caller cannot ask for fewer
  /// @throws ServiceException `limit_exceeded`
  ObjectValue add(ObjectValue member) {
    long size = Canonical.size(member);
    if ((taken > 0) && (taken + size > BYTES_MAX)) {
      throw new ServiceException(
          ErrorCode.LIMIT_EXCEEDED,
          "the answer would be larger than %d MB; ask for fewer".formatted(BYTES_MAX >> 20));
    }
    taken += size;
    return member;
  }
}
