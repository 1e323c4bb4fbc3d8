package dev.superstep.definition.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.context.Transforms;
import io.swagger.v3.oas.annotations.media.Schema;

/// A transform in the catalog of this server.
@Schema(
    name = "ContextTransform",
    description = "A transform that rules of context filters can call")
record TransformBody(
    @Schema(example = "truncate") String name,
    @Schema(description = "A call of it, as rules write it", example = "truncate(200)")
        String example,
    String description,
    @JsonProperty("built_in") @Schema(description = "Whether every server has it")
        boolean builtIn) {

  static TransformBody of(Transforms.TransformDescription it) {
    return new TransformBody(
        it.name(), it.example(), it.text(), it.origin() == Transforms.TransformOrigin.BUILT_IN);
  }
}
