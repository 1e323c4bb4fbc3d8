package dev.superstep.node;

import java.util.OptionalLong;

/// What an agent asks a model.
///
/// @param model as its provider calls it
/// @param text all that the answer depends on
/// @param images in it
/// @param imageBytes of the text that are theirs
/// @param outputTokensMax empty: the request does not say
public record AgentRequest(
    String model, String text, int images, long imageBytes, OptionalLong outputTokensMax) {}
