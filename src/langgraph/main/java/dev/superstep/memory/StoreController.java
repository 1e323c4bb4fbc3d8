package dev.superstep.memory;

import dev.superstep.http.QueryParameters;
import dev.superstep.http.openapi.Fails;
import dev.superstep.langgraph.LangGraphController;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.state.value.Value;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;

/// Serves the calls about items and namespaces.
@Tag(name = "Store", description = "What agents remember across threads")
@LangGraphController
@Fails({ErrorCode.LIMIT_EXCEEDED, ErrorCode.STORAGE_QUOTA_EXCEEDED, ErrorCode.OVERLOADED})
class StoreController {
  private static final String ITEMS = "/store/items";
  private final Memory memory;

  StoreController(Memory memory) {
    this.memory = memory;
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "langGraphPutItem")
  @PutMapping(path = ITEMS, consumes = MediaType.APPLICATION_JSON_VALUE)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void put(@RequestBody ItemPutBody body) {
    memory.put(body.read());
  }

  /// Without such an item the answer is the JSON text `null`, which both clients read as none.
  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphGetItem")
  @QueryParameters({"namespace", "key", "refresh_ttl"})
  @GetMapping(path = ITEMS, produces = MediaType.APPLICATION_JSON_VALUE)
  Object get(Query query) {
    var labels = query.text("namespace").map(it -> List.of(it.split("\\.", -1))).orElse(List.of());
    return memory
        .find(
            Namespace.of(labels, "?namespace"),
            query.text("key").orElse(""),
            query.flag("refresh_ttl").orElse(true))
        .<Object>map(ItemBody::of)
        .orElse(Value.NULL);
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "langGraphDeleteItem")
  @DeleteMapping(path = ITEMS, consumes = MediaType.APPLICATION_JSON_VALUE)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@RequestBody ItemKeyBody body) {
    memory.delete(body.place(), body.name());
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphSearchItems")
  @PostMapping(
      path = "/store/items/search",
      consumes = MediaType.APPLICATION_JSON_VALUE,
      produces = MediaType.APPLICATION_JSON_VALUE)
  Found search(@RequestBody ItemSearchBody body) {
    return new Found(memory.search(body.read()).stream().map(ItemBody::of).toList());
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphListNamespaces")
  @PostMapping(
      path = "/store/namespaces",
      consumes = MediaType.APPLICATION_JSON_VALUE,
      produces = MediaType.APPLICATION_JSON_VALUE)
  Namespaces namespaces(@RequestBody NamespaceSearchBody body) {
    return new Namespaces(memory.namespaces(body.read()).stream().map(Namespace::labels).toList());
  }

  @Schema(name = "Items")
  record Found(List<ItemBody> items) {}

  record Namespaces(List<List<String>> namespaces) {}
}
