package dev.superstep.definition.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.definition.FunctionSource;
import dev.superstep.definition.FunctionSource.Purity;
import dev.superstep.definition.read.Catalog;
import dev.superstep.definition.read.Catalog.ReducerDescription;
import dev.superstep.definition.type.NodeType;
import dev.superstep.http.Listing;
import dev.superstep.http.Paged;
import dev.superstep.problem.DurationText;
import dev.superstep.problem.Query;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Lists node types, functions and reducers of this server.
@Tag(name = "Catalog", description = "What definitions can refer to on this server")
@RestController
@RequestMapping(path = "/v1", produces = MediaType.APPLICATION_JSON_VALUE)
class CatalogController {
  private final Catalog catalog;

  CatalogController(Catalog catalog) {
    this.catalog = catalog;
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "listNodeTypes")
  @Paged
  @GetMapping("/node-types")
  Listing<NodeTypeBody> nodeTypes(Query query) {
    return Listing.part(catalog.nodeTypes().stream().map(NodeTypeBody::of).toList(), query);
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "listFunctions")
  @Paged
  @GetMapping("/functions")
  Listing<FunctionBody> functions(Query query) {
    return Listing.part(catalog.functions().stream().map(FunctionBody::of).toList(), query);
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "listReducers")
  @Paged
  @GetMapping("/reducers")
  Listing<ReducerBody> reducers(Query query) {
    return Listing.part(catalog.reducers().stream().map(ReducerBody::of).toList(), query);
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "getSchema")
  @GetMapping("/schema.json")
  ResponseEntity<ObjectValue> schema() {
    return ResponseEntity.ok()
        .cacheControl(CacheControl.maxAge(Duration.ofMinutes(5)).cachePrivate())
        .body(catalog.editorSchema());
  }

  /// A function in answers of the API.
  @Schema(name = "FunctionInfo")
  record FunctionBody(
      String name,
      String kind,
      String description,
      boolean pure,
      @JsonProperty("arguments_schema") ObjectValue argumentsSchema) {

    static FunctionBody of(FunctionSource.FunctionDescription function) {
      return new FunctionBody(
          function.name(),
          function.kind(),
          function.description(),
          function.pure() == Purity.PURE,
          function.argumentsSchema());
    }
  }

  /// A node type in answers of the API.
  record NodeTypeBody(
      String name,
      String description,
      boolean available,
      @JsonProperty("default_timeout") @Nullable String defaultTimeout,
      @JsonProperty("config_schema") ObjectValue configSchema) {

    static NodeTypeBody of(NodeType type) {
      return new NodeTypeBody(
          type.name(),
          type.description(),
          type.available(),
          type.defaultTimeout().map(DurationText::write).orElse(null),
          type.configSchema());
    }
  }

  /// A reducer in answers of the API.
  record ReducerBody(String name, String description, @Nullable String requires) {

    static ReducerBody of(ReducerDescription reducer) {
      return new ReducerBody(
          reducer.name(), reducer.text(), reducer.key().isEmpty() ? null : reducer.key());
    }
  }
}
