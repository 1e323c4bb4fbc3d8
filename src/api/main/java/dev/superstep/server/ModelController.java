package dev.superstep.server;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.http.Listing;
import dev.superstep.http.Paged;
import dev.superstep.model.Model;
import dev.superstep.model.ModelPrices;
import dev.superstep.model.Models;
import dev.superstep.problem.Query;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Lists the models of this server.
@Tag(name = "Catalog", description = "What definitions can refer to on this server")
@RestController
@RequestMapping(path = "/v1", produces = MediaType.APPLICATION_JSON_VALUE)
class ModelController {
  private final Models models;

  ModelController(Models models) {
    this.models = models;
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "listModels")
  @Paged
  @GetMapping("/models")
  Listing<ModelBody> models(Query query) {
    var standard = models.standard().map(Model::name).orElse("");
    return Listing.part(
        models.all().stream().map(it -> ModelBody.of(it, it.name().equals(standard))).toList(),
        query);
  }

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
    record PricesBody(
        String input,
        String output,
        @JsonProperty("cached_input") String cachedInput,
        @JsonProperty("cache_write") String cacheWrite) {

      private static PricesBody of(ModelPrices prices) {
        return new PricesBody(
            prices.input().toPlainString(),
            prices.output().toPlainString(),
            prices.cachedInput().toPlainString(),
            prices.cacheWrite().toPlainString());
      }
    }
  }
}
