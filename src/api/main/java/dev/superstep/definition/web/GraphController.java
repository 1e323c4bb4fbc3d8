package dev.superstep.definition.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.definition.GraphPosition;
import dev.superstep.definition.GraphVersion;
import dev.superstep.definition.PostResult;
import dev.superstep.definition.Validation;
import dev.superstep.definition.store.Definitions;
import dev.superstep.definition.store.TestedDefinitions;
import dev.superstep.http.Listing;
import dev.superstep.http.Located;
import dev.superstep.http.Paged;
import dev.superstep.http.QueryParameters;
import dev.superstep.http.openapi.Fails;
import dev.superstep.idempotency.Idempotency;
import dev.superstep.idempotency.IdempotencyKey;
import dev.superstep.idempotency.Idempotent;
import dev.superstep.idempotency.StoredAnswer;
import dev.superstep.json.Yaml;
import dev.superstep.problem.Cursor;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.FieldError;
import dev.superstep.problem.Query;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.tenant.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Posts, validates, reads and deletes graphs.
@Tag(name = "Graphs", description = "Store and look at graph definitions")
@RestController
@RequestMapping("/v1/graphs")
class GraphController {
  private final Definitions definitions;
  private final TestedDefinitions tested;
  private final Idempotency idempotency;

  GraphController(Definitions definitions, TestedDefinitions tested, Idempotency idempotency) {
    this.definitions = definitions;
    this.tested = tested;
    this.idempotency = idempotency;
  }

  @Requires(ApiScope.AUTHOR)
  @Operation(operationId = "createGraph")
  @Texts.DefinitionBody
  @QueryParameters("test")
  @Idempotent
  @Located
  @Fails({ErrorCode.INVALID_DEFINITION, ErrorCode.TESTS_FAILED, ErrorCode.STORAGE_QUOTA_EXCEEDED})
  @PostMapping(
      consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE, Texts.ZIP},
      produces = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<GraphSummaryBody> create(
      @RequestBody byte[] body,
      @Parameter(hidden = true) @RequestHeader(HttpHeaders.CONTENT_TYPE) MediaType type,
      Query query,
      IdempotencyKey key) {
    var text = Texts.of(body, type);
    if (query.flag("test").orElse(false)) {
      tested.require(text);
    }
    var storedAnswer = idempotency.once(key, () -> done(definitions.post(text)));
    var version = Versions.find(definitions, storedAnswer.resource());
    return ResponseEntity.status(storedAnswer.status())
        .headers(storedAnswer.headers())
        .header(HttpHeaders.LOCATION, Versions.path(version))
        .body(GraphSummaryBody.of(version));
  }

  private static StoredAnswer done(PostResult postResult) {
    var status =
        switch (postResult.outcome()) {
          case CREATED -> HttpStatus.CREATED;
          case UNCHANGED -> HttpStatus.OK;
        };
    return new StoredAnswer(status.value(), Versions.write(postResult.version()));
  }

  @Requires(ApiScope.AUTHOR)
  @Operation(operationId = "validateGraph")
  @Texts.DefinitionBody
  @QueryParameters("form")
  @PostMapping(
      path = "/validate",
      consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE, Texts.ZIP},
      produces = MediaType.APPLICATION_JSON_VALUE)
  ValidationBody validate(
      @RequestBody byte[] body,
      @Parameter(hidden = true) @RequestHeader(HttpHeaders.CONTENT_TYPE) MediaType type,
      Query query) {
    return ValidationBody.of(definitions.validate(Texts.of(body, type)), DefinitionForm.of(query));
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "listGraphs")
  @Paged
  @GetMapping(produces = MediaType.APPLICATION_JSON_VALUE)
  Listing<GraphSummaryBody> list(Query query) {
    int limit = query.limit();
    var found = definitions.graphs(query.cursor().map(Versions::after), limit + 1);
    return Versions.listing(found, limit, Versions::cursorOfGraphs);
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "listGraphVersions")
  @Paged
  @Fails(ErrorCode.GRAPH_NOT_FOUND)
  @GetMapping(path = "/{name}/versions", produces = MediaType.APPLICATION_JSON_VALUE)
  Listing<GraphSummaryBody> versions(@PathVariable String name, Query query) {
    int limit = query.limit();
    int below = query.cursor().map(Versions::below).orElse(Integer.MAX_VALUE);
    var found = definitions.versions(name, below, limit + 1);
    return Versions.listing(found, limit, Versions::cursorOfVersions);
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "getGraph")
  @Texts.VersionAnswer
  @Fails(ErrorCode.GRAPH_NOT_FOUND)
  @GetMapping(
      path = "/{name}",
      produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE})
  GraphBody newest(@PathVariable String name, Query query) {
    return GraphBody.of(definitions.newest(name), yaml(query));
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "getGraphVersion")
  @Texts.VersionAnswer
  @Fails({ErrorCode.GRAPH_NOT_FOUND, ErrorCode.VERSION_NOT_FOUND})
  @GetMapping(
      path = "/{name}/versions/{version}",
      produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE})
  GraphBody version(@PathVariable String name, @PathVariable int version, Query query) {
    return GraphBody.of(definitions.version(name, version), yaml(query));
  }

  private Function<GraphVersion, String> yaml(Query query) {
    return switch (DefinitionForm.of(query)) {
      case AUTHORED -> definitions::yaml;
      case LONG -> version -> Yaml.write(version.definition());
    };
  }

  @Requires(ApiScope.OPERATE)
  @Operation(operationId = "deleteGraph")
  @Fails({ErrorCode.GRAPH_NOT_FOUND, ErrorCode.GRAPH_IN_USE})
  @DeleteMapping("/{name}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable String name) {
    definitions.hide(name);
  }

  /// Names graph versions in paths, cursors and idempotency records.
  private static final class Versions {
    private Versions() {}

    static String path(GraphVersion version) {
      return "/v1/graphs/%s/versions/%d".formatted(Tenant.shown(version.name()), version.version());
    }

    static String write(GraphVersion version) {
      return version.name() + "/" + version.version();
    }

    static GraphVersion find(Definitions definitions, String written) {
      var slash = written.lastIndexOf('/');
      return definitions.version(
          written.substring(0, slash), Integer.parseInt(written.substring(slash + 1)));
    }

    static String cursorOfGraphs(GraphVersion last) {
      return Cursor.write(List.of(last.createdAt().toString(), last.name()));
    }

    static GraphPosition after(String cursor) {
      var parts = Cursor.read(cursor, 2);
      return new GraphPosition(parts.time(0), parts.text(1));
    }

    static String cursorOfVersions(GraphVersion last) {
      return Cursor.write(List.of(String.valueOf(last.version())));
    }

    static int below(String cursor) {
      return Cursor.read(cursor, 1).integer(0);
    }

    /// @param found one more than `limit` if there are more
    static Listing<GraphSummaryBody> listing(
        List<GraphVersion> found, int limit, Function<GraphVersion, String> cursor) {
      var shown = found.size() > limit ? found.subList(0, limit) : found;
      Optional<String> next =
          found.size() > limit ? Optional.of(cursor.apply(shown.getLast())) : Optional.empty();
      return Listing.of(shown.stream().map(GraphSummaryBody::of).toList(), next);
    }
  }

  /// A graph version without its definition in answers of the API.
  record GraphSummaryBody(
      String name,
      int version,
      String hash,
      @JsonProperty("created_at") Instant createdAt,
      @JsonProperty("created_by") @Nullable String createdBy,
      List<FieldError> warnings) {

    static GraphSummaryBody of(GraphVersion version) {
      return new GraphSummaryBody(
          Tenant.shown(version.name()),
          version.version(),
          version.hash(),
          version.createdAt(),
          version.createdBy().orElse(null),
          FieldError.of(version.warnings()));
    }
  }

  /// The result of validating a definition.
  record ValidationBody(
      boolean valid,
      List<FieldError> errors,
      List<FieldError> warnings,
      @Schema(ref = "#/components/schemas/GraphDefinition") @Nullable ObjectValue definition) {

    static ValidationBody of(Validation validation, DefinitionForm form) {
      boolean shown = form == DefinitionForm.LONG && validation.errors().isEmpty();
      return new ValidationBody(
          validation.errors().isEmpty(),
          FieldError.of(validation.errors()),
          FieldError.of(validation.warnings()),
          shown ? validation.definition() : null);
    }
  }
}
