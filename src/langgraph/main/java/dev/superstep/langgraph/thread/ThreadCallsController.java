package dev.superstep.langgraph.thread;

import dev.superstep.database.OwnThings;
import dev.superstep.http.openapi.Fails;
import dev.superstep.idempotency.Idempotency;
import dev.superstep.idempotency.IdempotencyKey;
import dev.superstep.idempotency.Idempotent;
import dev.superstep.idempotency.StoredAnswer;
import dev.superstep.langgraph.LangGraphController;
import dev.superstep.langgraph.RequestFields;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.MetadataFilter;
import dev.superstep.run.NewThread;
import dev.superstep.run.NewThread.IfExists;
import dev.superstep.run.ThreadFilter;
import dev.superstep.run.ThreadOrder;
import dev.superstep.run.ThreadService;
import dev.superstep.run.ThreadStatus;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.tenant.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;

/// Serves the calls that make, describe, find and delete threads.
@Tag(name = "Threads", description = "Conversations")
@LangGraphController
@Fails({
  ErrorCode.THREAD_NOT_FOUND,
  ErrorCode.GRAPH_NOT_FOUND,
  ErrorCode.THREAD_EXISTS,
  ErrorCode.THREAD_BUSY,
  ErrorCode.RUN_ACTIVE,
  ErrorCode.LIMIT_EXCEEDED,
  ErrorCode.STORAGE_QUOTA_EXCEEDED,
  ErrorCode.ERASURE_UNFINISHED,
  ErrorCode.OVERLOADED
})
@RequestMapping(path = "/threads", produces = MediaType.APPLICATION_JSON_VALUE)
class ThreadCallsController {
  private static final String TOTAL = "X-Pagination-Total";
  private static final int PRUNED_MAX = 1_000;
  private static final String NEXT = "X-Pagination-Next";
  private final ThreadService threads;
  private final ShownThreads shown;
  private final ThreadEdits edits;
  private final ThreadEraser eraser;
  private final Idempotency idempotency;
  private final OwnThings things;

  ThreadCallsController(
      ThreadService threads,
      ShownThreads shown,
      ThreadEdits edits,
      ThreadEraser eraser,
      Idempotency idempotency,
      OwnThings things) {
    this.things = things;
    this.idempotency = idempotency;
    this.edits = edits;
    this.threads = threads;
    this.shown = shown;
    this.eraser = eraser;
  }

  @Requires(ApiScope.RUN)
  @Idempotent
  @Operation(operationId = "langGraphCreateThread")
  @PostMapping
  ResponseEntity<ObjectValue> create(
      @RequestBody(required = false) @Nullable ObjectValue body, IdempotencyKey key) {
    var fields = RequestFields.of(body);
    Supersteps.check(fields);
    var wanted =
        new NewThread(
            fields.uuid("thread_id").map(Tenant.current()::own),
            fields.objectOrEmpty("metadata"),
            fields
                .oneOf("if_exists", List.of("raise", "do_nothing"))
                .filter("do_nothing"::equals)
                .map(_ -> IfExists.DO_NOTHING)
                .orElse(IfExists.REJECT));
    var known = idempotency.known(key);
    return shown(
        known.isPresent()
            ? known.get()
            : fields.list("supersteps").isEmpty()
                ? idempotency.once(key, () -> made(threads.create(wanted).thread()))
                : createWithHistory(wanted, fields, key));
  }

  private static StoredAnswer made(String thread) {
    return new StoredAnswer(HttpStatus.OK.value(), thread);
  }

  private ResponseEntity<ObjectValue> shown(StoredAnswer answer) {
    return ResponseEntity.ok().headers(answer.headers()).body(shown.thread(answer.resource()));
  }

  /// In several transactions; the key is stored when the history is complete.
  private StoredAnswer createWithHistory(
      NewThread wanted, RequestFields fields, IdempotencyKey key) {
    var made = threads.create(wanted);
    if (!made.existed()) {
      makeHistory(made.thread(), fields);
    }
    return idempotency.once(key, () -> made(made.thread()));
  }

  /// All of it or nothing: a thread whose history cannot be made goes again.
  private void makeHistory(String thread, RequestFields fields) {
    var supersteps = Supersteps.read(fields);
    try {
      supersteps.forEach(it -> edits.edit(thread, Optional.empty(), it));
    } catch (RuntimeException failed) {
      eraseAfter(failed, thread);
      throw failed;
    }
  }

  private void eraseAfter(RuntimeException failed, String thread) {
    try {
      eraser.erase(thread);
    } catch (RuntimeException alsoFailed) {
      failed.addSuppressed(alsoFailed);
    }
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphGetThread")
  @GetMapping("/{thread_id}")
  ObjectValue get(@PathVariable("thread_id") String thread) {
    return shown.thread(thread);
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "langGraphUpdateThread")
  @PatchMapping("/{thread_id}")
  ResponseEntity<ObjectValue> update(
      @PathVariable("thread_id") String thread,
      @RequestBody(required = false) @Nullable ObjectValue body,
      @RequestHeader(name = "Prefer", required = false) @Nullable String prefer) {
    threads.describe(thread, RequestFields.of(body).object("metadata").orElse(ObjectValue.empty()));
    return prefer != null && prefer.contains("return=minimal")
        ? ResponseEntity.noContent().build()
        : ResponseEntity.ok(shown.thread(thread));
  }

  @Requires(ApiScope.OPERATE)
  @Operation(operationId = "langGraphDeleteThread")
  @DeleteMapping(path = "/{thread_id}", produces = MediaType.ALL_VALUE)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable("thread_id") String thread) {
    eraser.erase(thread);
  }

  @Requires(ApiScope.RUN)
  @Idempotent
  @Operation(operationId = "langGraphCopyThread")
  @PostMapping("/{thread_id}/copy")
  ResponseEntity<ObjectValue> copy(@PathVariable("thread_id") String thread, IdempotencyKey key) {
    return shown(
        idempotency.once(
            key,
            () -> {
              var copy = threads.copy(thread);
              threads.describe(copy, ObjectValue.of("thread_id", Tenant.shown(copy)));
              return made(copy);
            }));
  }

  @Requires(ApiScope.OPERATE)
  @Operation(operationId = "langGraphPruneThreads")
  @PostMapping("/prune")
  ObjectValue prune(@RequestBody(required = false) @Nullable ObjectValue body) {
    var fields = RequestFields.of(body);
    if (fields
        .oneOf("strategy", List.of("delete", "keep_latest"))
        .filter("keep_latest"::equals)
        .isPresent()) {
      throw ServiceException.at(
          "/strategy",
          ErrorCode.NOT_SUPPORTED,
          "keep_latest is not supported; retention settings trim the history of ended runs");
    }
    var ids = fields.texts("thread_ids").stream().map(Tenant.current()::own).toList();
    if (ids.size() > PRUNED_MAX) {
      throw fields.refused("thread_ids", "may be at most %d".formatted(PRUNED_MAX));
    }
    return ObjectValue.of(
        "pruned_count",
        ids.stream().filter(things::admitsThread).filter(eraser::eraseIfThere).count());
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphSearchThreads")
  @PostMapping("/search")
  ResponseEntity<List<ObjectValue>> search(
      @RequestBody(required = false) @Nullable ObjectValue body) {
    var fields = new ThreadSearchFields(RequestFields.of(body));
    int offset = fields.offset();
    int limit = fields.limit();
    var found = shown.search(fields.search(), offset, limit, fields.select());
    var answer = ResponseEntity.ok().header(TOTAL, Long.toString(found.total()));
    if (found.total() > (long) offset + found.threads().size()) {
      answer.header(NEXT, Integer.toString(offset + limit));
    }
    return answer.body(found.threads());
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphCountThreads")
  @PostMapping("/count")
  long count(@RequestBody(required = false) @Nullable ObjectValue body) {
    return shown.count(new ThreadSearchFields(RequestFields.of(body)).search());
  }

  /// Reads what a search for threads asks for.
  private static final class ThreadSearchFields {
    private static final int LIMIT_DEFAULT = 10;
    private static final int LIMIT_MAX = 1_000;
    private static final int OFFSET_MAX = 1_000_000;
    private static final List<String> STATUSES = List.of("idle", "busy", "interrupted", "error");
    private static final List<String> ORDERS =
        List.of("thread_id", "status", "created_at", "updated_at", "state_updated_at");
    private final RequestFields fields;

    ThreadSearchFields(RequestFields fields) {
      this.fields = fields;
    }

    ShownThreads.Search search() {
      var filter =
          new ThreadFilter(
              fields.texts("ids").stream().map(Tenant.current()::own).collect(Collectors.toSet()),
              new MetadataFilter(fields.objectOrEmpty("metadata")),
              fields
                  .oneOf("status", STATUSES)
                  .flatMap(ThreadStatus::find)
                  .map(Set::of)
                  .orElse(Set.of()),
              false);
      return new ShownThreads.Search(filter, fields.objectOrEmpty("values"), order());
    }

    int limit() {
      return fields.integer("limit", 1, LIMIT_MAX).orElse((long) LIMIT_DEFAULT).intValue();
    }

    int offset() {
      return fields.integer("offset", 0, OFFSET_MAX).orElse(0L).intValue();
    }

    Set<String> select() {
      return Set.copyOf(fields.texts("select"));
    }

    private ThreadOrder order() {
      var by =
          switch (fields.oneOf("sort_by", ORDERS).orElse("created_at")) {
            case "thread_id" -> ThreadOrder.By.ID;
            case "status" -> ThreadOrder.By.STATUS;
            case "created_at" -> ThreadOrder.By.CREATED_AT;
            default -> ThreadOrder.By.UPDATED_AT;
          };
      boolean ascends =
          fields.oneOf("sort_order", List.of("asc", "desc")).filter("asc"::equals).isPresent();
      return new ThreadOrder(
          by, ascends ? ThreadOrder.Direction.ASCENDING : ThreadOrder.Direction.DESCENDING);
    }
  }
}
