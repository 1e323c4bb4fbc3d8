package dev.superstep.checkpoint;

/// Stored bytes that are not what was written: damaged, or rebuilt to another state hash. Nothing
/// is guessed from them.
public final class CorruptCheckpointException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CorruptCheckpointException(String message) {
    super(message);
  }

  CorruptCheckpointException(String message, Throwable cause) {
    super(message, cause);
  }
}
