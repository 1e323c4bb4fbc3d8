package dev.superstep.checkpoint;

/// Stored bytes are damaged, or their replay does not have the stored state hash. Nothing is
/// guessed from them.
public final class CorruptCheckpointException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CorruptCheckpointException(String message) {
    super(message);
  }

  public CorruptCheckpointException(String message, Throwable cause) {
    super(message, cause);
  }
}
