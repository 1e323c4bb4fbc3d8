package dev.superstep.database;

import org.springframework.core.NestedExceptionUtils;

/// A failure as an argument of a log line: its most specific reason, on one line, where the failure
/// itself would bring its stack trace. [OutageFilter] treats both alike.
public record LoggedFailure(Throwable failure) {
  @Override
  public String toString() {
    return NestedExceptionUtils.getMostSpecificCause(failure).toString().replaceAll("\\s+", " ");
  }
}
