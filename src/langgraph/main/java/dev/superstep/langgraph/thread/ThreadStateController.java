package dev.superstep.langgraph.thread;

import dev.superstep.http.openapi.Fails;
import dev.superstep.idempotency.IdempotencyKey;
import dev.superstep.idempotency.Idempotent;
import dev.superstep.langgraph.LangGraphController;
import dev.superstep.langgraph.RequestFields;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/// Serves the states of threads and their history.
@Tag(name = "Threads", description = "Conversations")
@LangGraphController
@Fails({
  ErrorCode.THREAD_NOT_FOUND,
  ErrorCode.CHECKPOINT_NOT_FOUND,
  ErrorCode.GRAPH_NOT_FOUND,
  ErrorCode.THREAD_BUSY,
  ErrorCode.INVALID_CHANGE,
  ErrorCode.LIMIT_EXCEEDED,
  ErrorCode.STORAGE_QUOTA_EXCEEDED,
  ErrorCode.OVERLOADED,
  ErrorCode.STORED_BY_NEWER_RELEASE
})
@RequestMapping(path = "/threads/{thread_id}", produces = MediaType.APPLICATION_JSON_VALUE)
class ThreadStateController {
  private static final int LIMIT_DEFAULT = 10;
  private static final int LIMIT_MAX = 1_000;
  private final ThreadStates states;
  private final ThreadEdits edits;

  ThreadStateController(ThreadStates states, ThreadEdits edits) {
    this.edits = edits;
    this.states = states;
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphGetState")
  @GetMapping("/state")
  ObjectValue newest(@PathVariable("thread_id") String thread) {
    return StateSnapshot.json(states.newest(thread));
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphGetStateAt")
  @GetMapping("/state/{checkpoint_id}")
  ObjectValue at(
      @PathVariable("thread_id") String thread, @PathVariable("checkpoint_id") String checkpoint) {
    return states.at(thread, checkpoint).json();
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphGetStateOfCheckpoint")
  @PostMapping("/state/checkpoint")
  ObjectValue atCheckpoint(
      @PathVariable("thread_id") String thread,
      @RequestBody(required = false) @Nullable ObjectValue body) {
    return RequestFields.of(body)
        .fields("checkpoint")
        .flatMap(it -> it.text("checkpoint_id"))
        .map(it -> states.at(thread, it).json())
        .orElseGet(() -> newest(thread));
  }

  @Requires(ApiScope.RUN)
  @Idempotent
  @Operation(operationId = "langGraphUpdateState")
  @PostMapping("/state")
  ResponseEntity<ObjectValue> update(
      @PathVariable("thread_id") String thread,
      @RequestBody(required = false) @Nullable ObjectValue body,
      IdempotencyKey key) {
    var fields = RequestFields.of(body);
    var edited =
        fields
            .fields("checkpoint")
            .flatMap(it -> it.text("checkpoint_id"))
            .or(() -> fields.text("checkpoint_id"));
    var answer = edits.once(thread, edited, ThreadEdits.StateEditRequest.of(fields), key);
    var checkpoint = states.newest(thread).map(it -> it.head().configurable());
    return ResponseEntity.ok()
        .headers(answer.headers())
        .body(ObjectValue.of("checkpoint", checkpoint.<Value>map(it -> it).orElse(Value.NULL)));
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphSearchHistory")
  @PostMapping("/history")
  List<ObjectValue> history(
      @PathVariable("thread_id") String thread,
      @RequestBody(required = false) @Nullable ObjectValue body) {
    var fields = RequestFields.of(body);
    return states.history(
        thread,
        before(fields),
        fields.objectOrEmpty("metadata"),
        fields.integer("limit", 1, LIMIT_MAX).orElse((long) LIMIT_DEFAULT).intValue());
  }

  /// SDKs name the checkpoint, or send the configuration that names it.
  private static Optional<String> before(RequestFields fields) {
    if (fields.value("before").filter(ObjectValue.class::isInstance).isEmpty()) {
      return fields.text("before");
    }
    var before = fields.fields("before");
    return before
        .flatMap(it -> it.fields("configurable"))
        .or(() -> before)
        .flatMap(it -> it.text("checkpoint_id"));
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphListHistory")
  @GetMapping("/history")
  List<ObjectValue> history(
      @PathVariable("thread_id") String thread,
      @RequestParam(name = "limit", required = false) @Nullable String limit,
      @RequestParam(name = "before", required = false) @Nullable String before) {
    return states.history(
        thread,
        Optional.ofNullable(before).filter(it -> !it.isEmpty()),
        ObjectValue.empty(),
        limit(limit));
  }

  private static int limit(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return LIMIT_DEFAULT;
    }
    if (text.matches("[1-9][0-9]{0,3}") && Integer.parseInt(text) <= LIMIT_MAX) {
      return Integer.parseInt(text);
    }
    throw ServiceException.at(
        "?limit", ErrorCode.INVALID_PARAMETER, "must be from 1 to %d".formatted(LIMIT_MAX));
  }
}
