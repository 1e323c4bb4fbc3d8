package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.http.Listing;
import dev.superstep.http.Located;
import dev.superstep.http.Paged;
import dev.superstep.http.QueryParameters;
import dev.superstep.http.openapi.Fails;
import dev.superstep.idempotency.Idempotency;
import dev.superstep.idempotency.IdempotencyKey;
import dev.superstep.idempotency.Idempotent;
import dev.superstep.idempotency.StoredAnswer;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.run.NewThread;
import dev.superstep.run.NewThread.IfExists;
import dev.superstep.run.RunService;
import dev.superstep.run.ThreadCheckpoint;
import dev.superstep.run.ThreadCheckpoint.CheckpointPosition;
import dev.superstep.run.ThreadQueries;
import dev.superstep.run.ThreadService;
import dev.superstep.run.ThreadSummary;
import dev.superstep.run.ThreadView;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.tenant.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
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
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Serves the calls that make, describe, read, list and delete threads.
@Tag(name = "Threads", description = "Conversations: runs that go on from each other")
@RestController
@RequestMapping(path = "/v1/threads", produces = MediaType.APPLICATION_JSON_VALUE)
class ThreadController {
  private final ThreadQueries queries;
  private final ThreadService threads;
  private final RunService runs;
  private final Idempotency idempotency;

  ThreadController(
      ThreadQueries queries, ThreadService threads, RunService runs, Idempotency idempotency) {
    this.queries = queries;
    this.threads = threads;
    this.runs = runs;
    this.idempotency = idempotency;
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "createThread")
  @Idempotent
  @Located
  @Fails({
    ErrorCode.THREAD_EXISTS,
    ErrorCode.THREAD_NOT_FOUND,
    ErrorCode.LIMIT_EXCEEDED,
    ErrorCode.STORAGE_QUOTA_EXCEEDED
  })
  @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<ThreadItemBody> create(@RequestBody NewThreadBody body, IdempotencyKey key) {
    var request = body.read();
    var storedAnswer =
        idempotency.once(
            key,
            () -> {
              var made = threads.create(request);
              var status = made.existed() ? HttpStatus.OK : HttpStatus.CREATED;
              return new StoredAnswer(status.value(), made.thread());
            });
    return ResponseEntity.status(storedAnswer.status())
        .headers(storedAnswer.headers())
        .location(URI.create("/v1/threads/" + Tenant.shown(storedAnswer.resource())))
        .body(ThreadItemBody.of(queries.summary(storedAnswer.resource())));
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "updateThread")
  @Fails({ErrorCode.THREAD_NOT_FOUND, ErrorCode.LIMIT_EXCEEDED, ErrorCode.STORAGE_QUOTA_EXCEEDED})
  @PatchMapping(path = "/{thread_id}", consumes = MediaType.APPLICATION_JSON_VALUE)
  ThreadItemBody update(
      @PathVariable("thread_id") String thread, @RequestBody ThreadChangeBody body) {
    threads.describe(thread, body.read());
    return ThreadItemBody.of(queries.summary(thread));
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "searchThreads")
  @Paged
  @Fails(ErrorCode.LIMIT_EXCEEDED)
  @PostMapping(path = "/search", consumes = MediaType.APPLICATION_JSON_VALUE)
  Listing<ThreadItemBody> search(@RequestBody ThreadSearchBody body, Query query) {
    var page = queries.search(body.read(), RunSearch.page(query));
    return Listing.of(page.items().stream().map(ThreadItemBody::of).toList(), page.next());
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "listThreads")
  @Paged
  @QueryParameters({"status", "metadata"})
  @GetMapping
  Listing<ThreadSummaryBody> list(Query query) {
    var page = queries.search(RunSearch.threads(query), RunSearch.page(query));
    return Listing.of(page.items().stream().map(ThreadSummaryBody::of).toList(), page.next());
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "getThread")
  @Fails({ErrorCode.THREAD_NOT_FOUND, ErrorCode.STORED_BY_NEWER_RELEASE})
  @GetMapping("/{thread_id}")
  ThreadBody get(@PathVariable("thread_id") String thread) {
    return ThreadBody.of(queries.thread(thread));
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "listThreadRuns")
  @Paged
  @Fails(ErrorCode.THREAD_NOT_FOUND)
  @GetMapping("/{thread_id}/runs")
  Listing<RunSummaryBody> runs(@PathVariable("thread_id") String thread, Query query) {
    var page = queries.runs(thread, RunSearch.page(query));
    return Listing.of(page.items().stream().map(RunSummaryBody::new).toList(), page.next());
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "listThreadHistory")
  @Paged
  @Fails(ErrorCode.THREAD_NOT_FOUND)
  @GetMapping("/{thread_id}/history")
  Listing<ThreadCheckpointBody> history(@PathVariable("thread_id") String thread, Query query) {
    var page = queries.history(thread, RunSearch.page(query));
    return Listing.of(page.items().stream().map(ThreadCheckpointBody::of).toList(), page.next());
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "copyThread")
  @Idempotent
  @Located
  @Fails({ErrorCode.THREAD_NOT_FOUND, ErrorCode.LIMIT_EXCEEDED, ErrorCode.STORAGE_QUOTA_EXCEEDED})
  @PostMapping("/{thread_id}/copy")
  ResponseEntity<ThreadItemBody> copy(
      @PathVariable("thread_id") String thread, IdempotencyKey key) {
    var storedAnswer =
        idempotency.once(
            key, () -> new StoredAnswer(HttpStatus.CREATED.value(), threads.copy(thread)));
    return ResponseEntity.status(storedAnswer.status())
        .headers(storedAnswer.headers())
        .location(URI.create("/v1/threads/" + Tenant.shown(storedAnswer.resource())))
        .body(ThreadItemBody.of(queries.summary(storedAnswer.resource())));
  }

  @Requires(ApiScope.OPERATE)
  @Operation(operationId = "deleteThread")
  @Fails({
    ErrorCode.THREAD_NOT_FOUND,
    ErrorCode.THREAD_BUSY,
    ErrorCode.RUN_ACTIVE,
    ErrorCode.ERASURE_UNFINISHED
  })
  @DeleteMapping(path = "/{thread_id}", produces = MediaType.ALL_VALUE)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable("thread_id") String thread) {
    runs.deleteThread(thread);
  }

  /// The request to make a thread.
  record NewThreadBody(
      @JsonProperty("thread_id") @Nullable String threadId,
      @Nullable ObjectValue metadata,
      @JsonProperty("if_exists") @Nullable String ifExists) {

    public NewThread read() {
      var bodyChecks = new BodyChecks();
      var strategy = ifExists == null ? Optional.of(IfExists.REJECT) : IfExists.find(ifExists);
      if (strategy.isEmpty()) {
        bodyChecks.refuse("/if_exists", ErrorCode.INVALID_VALUE, "must be reject or do_nothing");
      }
      bodyChecks.throwIfAny();
      return new NewThread(
          Optional.ofNullable(threadId).map(Tenant.current()::own),
          Objects.requireNonNullElse(metadata, ObjectValue.empty()),
          strategy.orElse(IfExists.REJECT));
    }
  }

  /// A thread with the state from which its next run starts.
  @Schema(name = "ThreadState")
  record ThreadBody(
      @JsonProperty("thread_id") String threadId,
      @JsonProperty("created_at") Instant createdAt,
      @JsonProperty("updated_at") Instant updatedAt,
      String status,
      ObjectValue metadata,
      @JsonProperty("last_run") @Nullable RunSummaryBody lastRun,
      @Nullable HeadItem head,
      ObjectValue state) {

    public static ThreadBody of(ThreadView view) {
      var summary = view.summary();
      return new ThreadBody(
          Tenant.shown(summary.id()),
          summary.createdAt(),
          summary.updatedAt(),
          summary.status().apiName(),
          summary.metadata(),
          summary.lastRun().map(RunSummaryBody::new).orElse(null),
          view.head().map(it -> new HeadItem(Tenant.shown(it.run()), it.checkpoint())).orElse(null),
          view.state());
    }

    @Schema(name = "ThreadHead")
    record HeadItem(@JsonProperty("run_id") String runId, int checkpoint) {}
  }

  /// The request to describe a thread.
  @Schema(name = "ThreadChange", description = "What changes about a conversation")
  record ThreadChangeBody(
      @Schema(
              requiredMode = RequiredMode.REQUIRED,
              description =
                  "Members replace those of the same name, null removes them; the others stay",
              example = "{\"title\": \"Refund\", \"draft\": null}")
          @Nullable ObjectValue metadata) {

    public ObjectValue read() {
      var bodyChecks = new BodyChecks();
      var changes = bodyChecks.required("/metadata", metadata, ObjectValue.empty());
      bodyChecks.throwIfAny();
      return changes;
    }
  }

  /// A checkpoint in the history of its thread.
  record ThreadCheckpointBody(
      String id,
      @JsonProperty("run_id") String runId,
      int checkpoint,
      int superstep,
      String kind,
      @Nullable ParentItem parent,
      @JsonProperty("state_hash") String stateHash,
      @JsonProperty("created_at") Instant createdAt) {

    public static ThreadCheckpointBody of(ThreadCheckpoint view) {
      var position = view.position();
      return new ThreadCheckpointBody(
          position.id().text(),
          Tenant.shown(position.at().run()),
          position.at().checkpoint(),
          view.superstep(),
          view.kind().text(),
          view.parent().map(ParentItem::of).orElse(null),
          view.stateHash(),
          position.id().at());
    }

    @Schema(name = "ThreadCheckpointParent")
    record ParentItem(String id, @JsonProperty("run_id") String runId, int checkpoint) {
      static ParentItem of(CheckpointPosition position) {
        return new ParentItem(
            position.id().text(), Tenant.shown(position.at().run()), position.at().checkpoint());
      }
    }
  }

  /// A thread that may have no run.
  @Schema(name = "ThreadInfo")
  record ThreadItemBody(
      @JsonProperty("thread_id") String threadId,
      @JsonProperty("created_at") Instant createdAt,
      @JsonProperty("updated_at") Instant updatedAt,
      String status,
      ObjectValue metadata,
      @JsonProperty("last_run") @Nullable RunSummaryBody lastRun) {

    public static ThreadItemBody of(ThreadSummary summary) {
      return new ThreadItemBody(
          Tenant.shown(summary.id()),
          summary.createdAt(),
          summary.updatedAt(),
          summary.status().apiName(),
          summary.metadata(),
          summary.lastRun().map(RunSummaryBody::new).orElse(null));
    }
  }

  /// A thread in the list of those that have runs.
  record ThreadSummaryBody(
      @JsonProperty("thread_id") String threadId,
      @JsonProperty("created_at") Instant createdAt,
      @JsonProperty("updated_at") Instant updatedAt,
      String status,
      ObjectValue metadata,
      @JsonProperty("last_run") RunSummaryBody lastRun) {

    public static ThreadSummaryBody of(ThreadSummary summary) {
      return new ThreadSummaryBody(
          Tenant.shown(summary.id()),
          summary.createdAt(),
          summary.updatedAt(),
          summary.status().apiName(),
          summary.metadata(),
          new RunSummaryBody(summary.lastRun().orElseThrow()));
    }
  }
}
