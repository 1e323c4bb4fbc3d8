package dev.superstep.run.web.stream;

import dev.superstep.engine.run.RunStatus;

/// When a stream of a run's events is over.
enum StreamEnd {
  /// When the run is at rest.
  AT_REST,
  /// When nothing can continue the run: neither an answer nor a resume.
  FOLLOW;

  boolean isReached(RunStatus status) {
    return switch (this) {
      case AT_REST -> status.atRest();
      case FOLLOW -> status == RunStatus.SUCCEEDED || status == RunStatus.CANCELLED;
    };
  }
}
