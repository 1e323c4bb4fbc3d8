package dev.superstep.run.view;

/// Names a checkpoint.
public record CheckpointRef(String run, int checkpoint) {}
