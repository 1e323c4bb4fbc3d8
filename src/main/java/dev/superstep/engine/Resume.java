package dev.superstep.engine;

import dev.superstep.state.Value;

/// The answer with which a task that had asked a question goes on.
public record Resume(String interruptId, Value answer) {}
