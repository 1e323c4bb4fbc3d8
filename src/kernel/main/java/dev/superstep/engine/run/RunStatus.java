package dev.superstep.engine.run;

/// The status of a run.
public enum RunStatus {
  QUEUED,
  RUNNING,
  WAITING,
  INTERRUPTED,
  FAILED,
  CANCELLING,
  SUCCEEDED,
  CANCELLED;

  /// Whether the run is over, or a person has to act before it continues.
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
