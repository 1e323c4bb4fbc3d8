package dev.superstep.checkpoint;

import org.jspecify.annotations.Nullable;

/// The database did not answer, or refused to write, for as long as the store was willing to retry.
/// Whether the last write is on disk is unknown: the next claim of the run reads it.
public final class StoreUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreUnavailableException(String message) {
    super(message);
  }

  public StoreUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
