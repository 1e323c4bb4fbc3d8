package dev.superstep.engine.checkpoint;

import java.util.Locale;

/// Why a checkpoint was written (E43). `STEP` and `FINAL` advance the superstep.
public enum CheckpointKind {
  INPUT,
  STEP,
  HELD,
  FINAL,
  UPDATE,
  FORK;

  private final String text = name().toLowerCase(Locale.ROOT);

  /// As the database and the API have it.
  public String text() {
    return text;
  }
}
