package dev.superstep.engine.task;

import dev.superstep.state.value.Value;

/// The answer with which a task that had asked a question goes on.
public record Resume(String interruptId, Value answer) {}
