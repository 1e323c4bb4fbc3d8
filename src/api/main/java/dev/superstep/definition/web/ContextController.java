package dev.superstep.definition.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.compute.ComputePool;
import dev.superstep.context.ContextLibrary;
import dev.superstep.context.ContextProcessor;
import dev.superstep.context.Transforms;
import dev.superstep.http.Listing;
import dev.superstep.http.Paged;
import dev.superstep.http.openapi.Fails;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Serves the calls that preview prompt contexts and list transforms and processors.
@Tag(name = "Catalog")
@RestController
@RequestMapping(path = "/v1", produces = MediaType.APPLICATION_JSON_VALUE)
class ContextController {
  private final ContextLibrary library;
  private final Preview preview;
  private final ComputePool compute;

  ContextController(ContextLibrary library, ComputePool compute) {
    this.library = library;
    this.compute = compute;
    preview = new Preview(library);
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "listContextTransforms")
  @Paged
  @GetMapping("/context-transforms")
  Listing<TransformBody> transforms(Query query) {
    return Listing.part(library.transforms().all().stream().map(TransformBody::of).toList(), query);
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "listContextProcessors")
  @Paged
  @GetMapping("/context-processors")
  Listing<ProcessorBody> processors(Query query) {
    return Listing.part(
        library.processors().all().entrySet().stream()
            .map(it -> ProcessorBody.of(it.getKey(), it.getValue()))
            .toList(),
        query);
  }

  @Requires(ApiScope.AUTHOR)
  @Operation(operationId = "previewContext")
  @Fails({ErrorCode.INVALID_DEFINITION, ErrorCode.INVALID_VALUE})
  @PostMapping(path = "/context/preview", consumes = MediaType.APPLICATION_JSON_VALUE)
  PreviewBody preview(@RequestBody PreviewRequest body) {
    return compute.call(() -> preview.of(body));
  }

  /// A context processor in the catalog of this server.
  @Schema(name = "ContextProcessor")
  record ProcessorBody(
      String name,
      String description,
      boolean pure,
      @JsonProperty("config_schema") ObjectValue configSchema) {

    static ProcessorBody of(String name, ContextProcessor it) {
      return new ProcessorBody(name, it.description(), it.pure(), it.configSchema());
    }
  }

  /// A transform in the catalog of this server.
  @Schema(name = "ContextTransform")
  record TransformBody(
      String name, String example, String description, @JsonProperty("built_in") boolean builtIn) {

    static TransformBody of(Transforms.TransformDescription it) {
      return new TransformBody(
          it.name(), it.example(), it.text(), it.origin() == Transforms.TransformOrigin.BUILT_IN);
    }
  }
}
