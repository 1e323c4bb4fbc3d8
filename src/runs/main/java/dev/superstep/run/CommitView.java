package dev.superstep.run;

/// A checkpoint that has committed a superstep.
///
/// @param held whether the run had stopped in that superstep
public record CommitView(CheckpointView checkpoint, boolean held) {}
