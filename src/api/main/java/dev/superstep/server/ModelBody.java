package dev.superstep.server;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.model.Model;
import dev.superstep.model.ModelPrices;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import org.jspecify.annotations.Nullable;

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
        boolean standard,
    @Schema(description = "Absent: what its calls cost is not known") @Nullable PricesBody prices) {

  static ModelBody of(Model model, boolean standard) {
    return new ModelBody(
        model.name(),
        model.provider(),
        model.providerModel(),
        model.description(),
        standard,
        model.prices().map(PricesBody::of).orElse(null));
  }

  @Schema(
      name = "ModelPrices",
      description = "What a million tokens cost, in the `currency` of the server")
  record PricesBody(
      @Schema(
              requiredMode = RequiredMode.REQUIRED,
              description = "A decimal number",
              example = "0.25")
          String input,
      @Schema(
              requiredMode = RequiredMode.REQUIRED,
              description = "A decimal number",
              example = "2.00")
          String output,
      @JsonProperty("cached_input")
          @Schema(
              requiredMode = RequiredMode.REQUIRED,
              description = "Of input that the provider has read from its cache",
              example = "0.025")
          String cachedInput) {

    private static PricesBody of(ModelPrices prices) {
      return new PricesBody(
          prices.input().toPlainString(),
          prices.output().toPlainString(),
          prices.cachedInput().toPlainString());
    }
  }
}
