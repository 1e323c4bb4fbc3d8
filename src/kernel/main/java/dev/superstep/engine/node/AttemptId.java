package dev.superstep.engine.node;

/// One attempt of a task of the superstep that a driver has open.
///
/// @param task the task's index in the superstep
/// @param token changes with every attempt of the task
public record AttemptId(int superstep, int task, int token) {}
