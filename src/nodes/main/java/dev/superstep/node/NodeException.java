package dev.superstep.node;

import dev.superstep.engine.run.TaskError;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/// Thrown by a [NodeFunction] that fails and knows why: its code selects among error edges,
/// `retry_on` and `no_retry_on` of the node.
public final class NodeException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final Pattern CODE = Pattern.compile("[a-z][a-z0-9_]{0,63}");
  private final transient TaskError error;

  private NodeException(TaskError error) {
    super(error.message());
    if (!CODE.matcher(error.code()).matches()) {
      throw new IllegalArgumentException("not an error code: '%s'".formatted(error.code()));
    }
    this.error = error;
  }

  /// A failure that another attempt would meet again.
  ///
  /// @param code `[a-z][a-z0-9_]*`
  public static NodeException permanent(String code, String message) {
    return new NodeException(TaskError.permanent(code, message));
  }

  /// A failure that may pass: the node's retry policy decides about another attempt.
  public static NodeException retryable(String code, String message) {
    return new NodeException(TaskError.retryable(code, message));
  }

  /// This failure, to be retried no sooner than after `pause`.
  public NodeException retryAfter(Duration pause) {
    return new NodeException(
        new TaskError(
            error.code(), error.message(), error.retryable(), Optional.of(pause), error.details()));
  }

  /// The failure as the engine keeps it.
  public TaskError error() {
    return error;
  }
}
