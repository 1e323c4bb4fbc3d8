package dev.superstep.checkpoint;

/// Stored bytes that are not what was written: damaged, or rebuilt to another state hash. Nothing
/// is guessed from them.
public final class CorruptCheckpointException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CorruptCheckpointException(String message) {
    super(message);
  }

  public CorruptCheckpointException(String message, Throwable cause) {
    super(message, cause);
  }
}
