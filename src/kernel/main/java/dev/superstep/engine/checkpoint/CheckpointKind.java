package dev.superstep.engine.checkpoint;

/// Why a checkpoint was written (E43). `STEP` and `FINAL` advance the superstep.
public enum CheckpointKind {
  INPUT,
  STEP,
  HELD,
  FINAL,
  UPDATE,
  FORK
}
