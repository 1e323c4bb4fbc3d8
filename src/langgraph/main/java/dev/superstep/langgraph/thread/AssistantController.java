package dev.superstep.langgraph.thread;

import dev.superstep.http.openapi.Fails;
import dev.superstep.langgraph.LangGraphController;
import dev.superstep.langgraph.RequestFields;
import dev.superstep.langgraph.RequestedMembers;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.security.ApiScope;
import dev.superstep.security.AuthenticatedCallers;
import dev.superstep.security.Requires;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;

/// Serves the calls that find, make, change and delete assistants.
@Tag(name = "Assistants", description = "Graphs with a configuration, in versions")
@LangGraphController
@Fails({
  ErrorCode.ASSISTANT_NOT_FOUND,
  ErrorCode.GRAPH_NOT_FOUND,
  ErrorCode.VERSION_NOT_FOUND,
  ErrorCode.ASSISTANT_EXISTS,
  ErrorCode.LIMIT_EXCEEDED,
  ErrorCode.STORAGE_QUOTA_EXCEEDED,
  ErrorCode.OVERLOADED,
  ErrorCode.STORED_BY_NEWER_RELEASE
})
@RequestMapping(path = "/assistants", produces = MediaType.APPLICATION_JSON_VALUE)
class AssistantController {
  private static final int VERSION_MAX = 1_000_000;
  private final Assistants assistants;
  private final AssistantWrites writes;
  private final ThreadEraser threads;
  private final AuthenticatedCallers callers;

  AssistantController(
      Assistants assistants,
      AssistantWrites writes,
      ThreadEraser threads,
      AuthenticatedCallers callers) {
    this.assistants = assistants;
    this.writes = writes;
    this.threads = threads;
    this.callers = callers;
  }

  @Requires(ApiScope.AUTHOR)
  @Operation(operationId = "langGraphCreateAssistant")
  @PostMapping
  ObjectValue create(@RequestBody(required = false) @Nullable ObjectValue body) {
    return writes.create(RequestFields.of(body)).json();
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphGetAssistant")
  @GetMapping("/{assistant_id}")
  ObjectValue get(@PathVariable("assistant_id") String assistant) {
    return assistants.find(assistant).json();
  }

  @Requires(ApiScope.AUTHOR)
  @Operation(operationId = "langGraphUpdateAssistant")
  @PatchMapping("/{assistant_id}")
  ObjectValue update(
      @PathVariable("assistant_id") String assistant,
      @RequestBody(required = false) @Nullable ObjectValue body) {
    return writes.change(assistant, RequestFields.of(body)).json();
  }

  @Requires(ApiScope.AUTHOR)
  @Operation(operationId = "langGraphDeleteAssistant")
  @DeleteMapping(path = "/{assistant_id}", produces = MediaType.ALL_VALUE)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(
      @PathVariable("assistant_id") String assistant,
      @RequestParam(name = "delete_threads", required = false) @Nullable String withThreads) {
    boolean all = "true".equalsIgnoreCase(withThreads) || "1".equals(withThreads);
    if (all) {
      callers.require(Set.of(ApiScope.OPERATE));
    }
    var deleted = writes.delete(assistant);
    if (all) {
      threads.eraseAllOf(deleted.id());
    }
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphSearchAssistants")
  @PostMapping("/search")
  ResponseEntity<List<ObjectValue>> search(
      @RequestBody(required = false) @Nullable ObjectValue body) {
    var search = new AssistantSearch(RequestFields.of(body));
    var found = assistants.search(search);
    var select = search.select();
    long next = (long) search.offset() + search.limit();
    var page = found.page().stream().map(it -> RequestedMembers.of(it.json(), select)).toList();
    var answer = ResponseEntity.ok().header("X-Pagination-Total", Integer.toString(found.total()));
    if (found.total() > next) {
      answer.header("X-Pagination-Next", Long.toString(next));
    }
    return answer.body(page);
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphCountAssistants")
  @PostMapping("/count")
  long count(@RequestBody(required = false) @Nullable ObjectValue body) {
    return assistants.count(new AssistantSearch(RequestFields.of(body)));
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphListAssistantVersions")
  @PostMapping("/{assistant_id}/versions")
  List<ObjectValue> versions(
      @PathVariable("assistant_id") String assistant,
      @RequestBody(required = false) @Nullable ObjectValue body) {
    var search = new AssistantSearch(RequestFields.of(body));
    return assistants.versions(assistant, search).stream().map(Assistant::json).toList();
  }

  @Requires(ApiScope.AUTHOR)
  @Operation(operationId = "langGraphSetLatestAssistantVersion")
  @PostMapping("/{assistant_id}/latest")
  ObjectValue latest(
      @PathVariable("assistant_id") String assistant,
      @RequestBody(required = false) @Nullable ObjectValue body) {
    var version = RequestFields.of(body).integer("version", 1, VERSION_MAX);
    return writes
        .choose(
            assistant,
            version
                .orElseThrow(
                    () -> ServiceException.at("/version", ErrorCode.MISSING_FIELD, "is missing"))
                .intValue())
        .json();
  }
}
