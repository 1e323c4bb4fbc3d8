package dev.superstep.context;

/// What declarations of filters refer to by name, and where views are kept.
public record ContextLibrary(
    ContextCondition.Compiler conditions,
    Transforms transforms,
    Processors processors,
    ContextCache cache) {}
