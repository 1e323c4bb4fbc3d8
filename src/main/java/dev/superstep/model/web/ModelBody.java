package dev.superstep.model.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.model.Model;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;

/// A model in answers of the API.
@Schema(name = "Model", description = "A chat model that llm nodes can name")
record ModelBody(
    @Schema(requiredMode = RequiredMode.REQUIRED, example = "small") String name,
    @Schema(
            requiredMode = RequiredMode.REQUIRED,
            description = "Whose protocol it speaks",
            allowableValues = {"openai", "anthropic", "ollama", "stub"})
        String provider,
    @Schema(
            requiredMode = RequiredMode.REQUIRED,
            description = "As its provider names it",
            example = "gpt-5-mini")
        String model,
    @Schema(requiredMode = RequiredMode.REQUIRED) String description,
    @JsonProperty("default")
        @Schema(
            requiredMode = RequiredMode.REQUIRED,
            description = "Whether llm nodes that name none use it")
        boolean standard) {

  static ModelBody of(Model model, boolean standard) {
    return new ModelBody(
        model.name(), model.provider(), model.providerModel(), model.description(), standard);
  }
}
