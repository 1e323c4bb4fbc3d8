package dev.superstep.definition.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.context.Transforms;
import io.swagger.v3.oas.annotations.media.Schema;

/// A transform in the catalog of this server.
@Schema(name = "ContextTransform")
record TransformBody(
    String name, String example, String description, @JsonProperty("built_in") boolean builtIn) {

  static TransformBody of(Transforms.TransformDescription it) {
    return new TransformBody(
        it.name(), it.example(), it.text(), it.origin() == Transforms.TransformOrigin.BUILT_IN);
  }
}
