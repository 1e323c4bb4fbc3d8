package dev.superstep.definition.check;

import dev.superstep.context.PromptContext;
import dev.superstep.definition.GraphParams;
import dev.superstep.engine.Program;
import dev.superstep.state.ValueCheck;
import java.util.List;

/// The compiled content of a definition without errors.
public record GraphPlan(
    Program program,
    ValueCheck inputCheck,
    List<String> outputChannels,
    PromptContext context,
    GraphParams params) {}
