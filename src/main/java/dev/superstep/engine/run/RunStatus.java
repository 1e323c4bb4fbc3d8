package dev.superstep.engine.run;

/// Where a run stands.
public enum RunStatus {
  QUEUED,
  RUNNING,
  WAITING,
  INTERRUPTED,
  FAILED,
  CANCELLING,
  SUCCEEDED,
  CANCELLED;

  /// Whether a person or nobody has to act before it goes on.
  public boolean atRest() {
    return switch (this) {
      case SUCCEEDED, FAILED, CANCELLED, INTERRUPTED -> true;
      case QUEUED, RUNNING, WAITING, CANCELLING -> false;
    };
  }

  /// All but `failed`, `succeeded`, `cancelled`.
  public boolean active() {
    return switch (this) {
      case SUCCEEDED, FAILED, CANCELLED -> false;
      case QUEUED, RUNNING, WAITING, INTERRUPTED, CANCELLING -> true;
    };
  }
}
