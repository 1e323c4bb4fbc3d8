package dev.superstep.run;

import dev.superstep.engine.ContextViews.Explained;

/// The prompt context that a task received (P17).
///
/// @param checkpoint on which the task runs, or ran
public record NodeContextView(int checkpoint, Explained explained) {}
