package dev.superstep.definition.web;

import dev.superstep.definition.read.Catalog;
import dev.superstep.http.Listing;
import dev.superstep.http.Paged;
import dev.superstep.problem.Query;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
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
        .cacheControl(CacheControl.maxAge(Duration.ofMinutes(5)))
        .body(catalog.editorSchema());
  }
}
