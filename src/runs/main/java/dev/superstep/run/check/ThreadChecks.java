package dev.superstep.run.check;

import dev.superstep.graph.Violations;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.MetadataFilter;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Checks how clients name and describe threads.
@Component
public class ThreadChecks {
  /// Canonical size of what describes a thread: it is indexed as a whole.
  private static final int METADATA_MAX = MetadataFilter.BYTES_MAX;

  private final LimitSettings server;

  ThreadChecks(LimitSettings server) {
    this.server = server;
  }

  /// @throws ServiceException naming every problem with its pointer
  public void check(Optional<String> id, ObjectValue metadata) {
    var violations = new Violations();
    StartChecks.id(id, "/thread_id", violations);
    int entries = server.metadata().entriesMax();
    if (metadata.size() > entries) {
      violations.error(
          "/metadata",
          ErrorCode.LIMIT_EXCEEDED.code(),
          "may have at most %d entries".formatted(entries));
    }
    if (Canonical.size(metadata) > METADATA_MAX) {
      violations.error(
          "/metadata",
          ErrorCode.LIMIT_EXCEEDED.code(),
          "may have at most %d bytes".formatted(METADATA_MAX));
    }
    ServiceException.throwIfAny(violations);
  }
}
