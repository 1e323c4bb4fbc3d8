package dev.superstep.audit;

import java.util.Locale;

/// What became of a recorded call.
public enum AuditOutcome {
  ALLOWED,
  /// The caller may not do that, or is unknown.
  REFUSED,
  /// The caller may do that, but it was not done.
  FAILED;

  /// As rows and answers have it.
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
