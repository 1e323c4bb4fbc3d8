package dev.superstep.definition;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.Program;
import dev.superstep.state.ValueCheck;
import java.util.List;

/// What a definition without errors amounts to.
record Plan(
    Program program, ValueCheck inputCheck, List<String> outputChannels, PromptContext context) {}
