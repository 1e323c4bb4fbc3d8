package dev.superstep.run.stream;

import dev.superstep.engine.run.RunStatus;

/// When a stream of a run's events is over.
public enum StreamEnd {
  /// When the run is at rest.
  AT_REST,
  /// When nothing can continue the run: neither an answer nor a resume.
  FOLLOW;

  public boolean isReached(RunStatus status) {
    return switch (this) {
      case AT_REST -> status.atRest();
      case FOLLOW -> status == RunStatus.SUCCEEDED || status == RunStatus.CANCELLED;
    };
  }
}
