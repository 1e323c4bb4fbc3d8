package dev.superstep.engine.run;

import dev.superstep.state.value.Value;

/// The answer with which a task resumes after its question.
public record Resume(String interruptId, Value answer) {}
