package dev.superstep.run.view;

import dev.superstep.engine.context.ContextViews.Explained;

/// What a task received of the prompt context (P17).
///
/// @param checkpoint on which the task runs, or ran
public record NodeContextView(int checkpoint, Explained explained) {}
