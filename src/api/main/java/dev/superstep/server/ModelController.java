package dev.superstep.server;

import dev.superstep.http.Listing;
import dev.superstep.http.Paged;
import dev.superstep.model.Model;
import dev.superstep.model.Models;
import dev.superstep.problem.Query;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
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
}
