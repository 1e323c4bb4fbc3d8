package dev.superstep.run.web;

import dev.superstep.http.Listing;
import dev.superstep.http.Located;
import dev.superstep.http.Paged;
import dev.superstep.http.QueryParameters;
import dev.superstep.http.Waits;
import dev.superstep.http.openapi.Fails;
import dev.superstep.idempotency.Idempotency;
import dev.superstep.idempotency.IdempotencyKey;
import dev.superstep.idempotency.Idempotent;
import dev.superstep.idempotency.StoredAnswer;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.run.IfBusy;
import dev.superstep.run.MessageService;
import dev.superstep.run.RunPart;
import dev.superstep.run.RunProgress;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunService;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.trace.Traceparents;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
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

/// Serves the calls that start, read, list and delete runs.
@Tag(name = "Runs", description = "Start, look at, continue and end runs")
@RestController
@RequestMapping(path = "/v1/runs", produces = MediaType.APPLICATION_JSON_VALUE)
class RunController {
  private final RunService runs;
  private final RunQueries queries;
  private final RunAnswers answers;
  private final Idempotency idempotency;
  private final Traceparents traces;
  private final MessageService messages;

  RunController(
      RunService runs,
      RunQueries queries,
      RunAnswers answers,
      Idempotency idempotency,
      Traceparents traces,
      MessageService messages) {
    this.messages = messages;
    this.runs = runs;
    this.queries = queries;
    this.answers = answers;
    this.idempotency = idempotency;
    this.traces = traces;
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "startRun")
  @Idempotent
  @Located
  @Waits
  @Fails({
    ErrorCode.GRAPH_NOT_FOUND,
    ErrorCode.VERSION_NOT_FOUND,
    ErrorCode.CHECKPOINT_NOT_FOUND,
    ErrorCode.THREAD_BUSY,
    ErrorCode.RUN_EXISTS,
    ErrorCode.INVALID_INPUT,
    ErrorCode.LIMIT_EXCEEDED,
    ErrorCode.QUOTA_EXCEEDED,
    ErrorCode.RUN_QUOTA_EXCEEDED,
    ErrorCode.BUDGET_EXHAUSTED,
    ErrorCode.STORAGE_QUOTA_EXCEEDED,
    ErrorCode.STORED_BY_NEWER_RELEASE
  })
  @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<RunBody> start(
      @RequestBody StartRunBody body,
      @RequestHeader(name = "traceparent", required = false) @Parameter(hidden = true)
          @Nullable String traceparent,
      IdempotencyKey key,
      Query query) {
    var request = body.read().within(traces.of(traceparent));
    boolean waits = query.waiting().filter(Duration::isPositive).isPresent();
    var checked = key.isAbsent() ? runs.checkRemembering(request) : runs.check(request);
    var progress = new AtomicReference<@Nullable RunProgress>();
    var storedAnswer =
        idempotency.once(
            key,
            () -> {
              var started =
                  request.options().ifBusy() == IfBusy.STEER
                      ? messages.steerOr(request, () -> runs.start(checked, _ -> {}))
                      : waits ? runs.startWaiting(checked) : runs.start(checked, _ -> {});
              started.progress().ifPresent(progress::set);
              return new StoredAnswer(
                  HttpStatus.ACCEPTED.value(), started.run(), started.replayed());
            });
    return answers.started(storedAnswer, query, Optional.ofNullable(progress.get()));
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "searchRuns")
  @Paged
  @QueryParameters({
    "graph",
    "status",
    "thread_id",
    "parent",
    "error_code",
    "metadata",
    "created_after",
    "created_before"
  })
  @GetMapping
  Listing<RunSummaryBody> search(Query query) {
    var page = queries.search(RunSearch.filter(query), RunSearch.page(query));
    return Listing.of(page.items().stream().map(RunSummaryBody::new).toList(), page.next());
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "getRun")
  @Waits
  @QueryParameters("without")
  @Fails({ErrorCode.RUN_NOT_FOUND, ErrorCode.STORED_BY_NEWER_RELEASE})
  @GetMapping("/{id}")
  RunBody get(@PathVariable String id, Query query) {
    var without = query.listOf("without", RunPart.values(), RunPart::apiName);
    return new RunBody(answers.read(id, without, query), without);
  }

  @Requires(ApiScope.OPERATE)
  @Operation(operationId = "deleteRun")
  @Fails({ErrorCode.RUN_NOT_FOUND, ErrorCode.RUN_ACTIVE})
  @DeleteMapping(path = "/{id}", produces = MediaType.ALL_VALUE)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable String id) {
    runs.delete(id);
  }
}
