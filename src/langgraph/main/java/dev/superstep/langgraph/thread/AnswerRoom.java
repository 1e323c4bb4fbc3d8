package dev.superstep.langgraph.thread;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;

/// The room that one list of states has. It is built in memory, and whoever may read could ask for
/// more than there is.
final class AnswerRoom {
  static final long BYTES_MAX = 16L << 20;
  private long taken;

  /// @return the member; the first has room always: nobody can ask for fewer
  /// @throws ServiceException `limit_exceeded`
  ObjectValue take(ObjectValue member) {
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
