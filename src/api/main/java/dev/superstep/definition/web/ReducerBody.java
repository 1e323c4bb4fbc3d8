package dev.superstep.definition.web;

import dev.superstep.definition.read.Catalog.ReducerDescription;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import org.jspecify.annotations.Nullable;

/// A reducer in answers of the API.
@Schema(name = "Reducer", description = "A way in which a channel takes updates")
record ReducerBody(
    @Schema(requiredMode = RequiredMode.REQUIRED, example = "append") String name,
    @Schema(requiredMode = RequiredMode.REQUIRED) String description,
    @Schema(description = "The channel key that it needs, if any", example = "expression")
        @Nullable String requires) {

  static ReducerBody of(ReducerDescription reducer) {
    return new ReducerBody(
        reducer.name(), reducer.text(), reducer.key().isEmpty() ? null : reducer.key());
  }
}
