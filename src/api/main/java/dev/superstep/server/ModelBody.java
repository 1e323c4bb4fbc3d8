package dev.superstep.server;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.model.Model;
import dev.superstep.model.ModelPrices;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/// A model in answers of the API.
record ModelBody(
    String name,
    String provider,
    String model,
    String description,
    @JsonProperty("default") boolean standard,
    @Nullable PricesBody prices) {

  static ModelBody of(Model model, boolean standard) {
    return new ModelBody(
        model.name(),
        model.provider(),
        model.providerModel(),
        model.description(),
        standard,
        model.prices().map(PricesBody::of).orElse(null));
  }

  @Schema(name = "ModelPrices")
  record PricesBody(String input, String output, @JsonProperty("cached_input") String cachedInput) {

    private static PricesBody of(ModelPrices prices) {
      return new PricesBody(
          prices.input().toPlainString(),
          prices.output().toPlainString(),
          prices.cachedInput().toPlainString());
    }
  }
}
