package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.http.Located;
import dev.superstep.http.Waits;
import dev.superstep.http.openapi.Fails;
import dev.superstep.idempotency.Idempotency;
import dev.superstep.idempotency.IdempotencyKey;
import dev.superstep.idempotency.Idempotent;
import dev.superstep.idempotency.StoredAnswer;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.run.ForkRun;
import dev.superstep.run.PauseService;
import dev.superstep.run.RunProgress;
import dev.superstep.run.RunService;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.tenant.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Serves the calls that resume, cancel and fork runs.
@Tag(name = "Runs")
@RestController
@RequestMapping(path = "/v1/runs/{id}", produces = MediaType.APPLICATION_JSON_VALUE)
class RunActionController {
  private final RunService runs;
  private final PauseService pauses;
  private final RunAnswers answers;
  private final Idempotency idempotency;

  RunActionController(
      RunService runs, PauseService pauses, RunAnswers answers, Idempotency idempotency) {
    this.runs = runs;
    this.pauses = pauses;
    this.answers = answers;
    this.idempotency = idempotency;
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "resumeRun")
  @Idempotent
  @Waits
  @Fails({
    ErrorCode.RUN_NOT_FOUND,
    ErrorCode.INTERRUPT_NOT_FOUND,
    ErrorCode.TASK_NOT_FOUND,
    ErrorCode.NOTHING_TO_RESUME,
    ErrorCode.RUN_ENDED,
    ErrorCode.RUN_NOT_AT_REST,
    ErrorCode.THREAD_BUSY,
    ErrorCode.RUN_NOT_RESUMABLE,
    ErrorCode.RUN_QUOTA_EXCEEDED,
    ErrorCode.BUDGET_EXHAUSTED,
    ErrorCode.INTERRUPT_CLOSED,
    ErrorCode.INTERRUPT_AMBIGUOUS,
    ErrorCode.INVALID_ANSWER,
    ErrorCode.INVALID_CHANGE,
    ErrorCode.LIMIT_EXCEEDED,
    ErrorCode.STORED_BY_NEWER_RELEASE
  })
  @PostMapping(path = "/resume", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<RunBody> resume(
      @PathVariable String id, @RequestBody ResumeBody body, IdempotencyKey key, Query query) {
    var request = body.read(id);
    query.waiting();
    var checked = runs.check(request);
    var progress = new AtomicReference<@Nullable RunProgress>();
    var storedAnswer =
        idempotency.once(
            key,
            () -> {
              runs.resume(request, checked).progress().ifPresent(progress::set);
              return accepted(id);
            });
    return answers.changed(storedAnswer, query, Optional.ofNullable(progress.get()));
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "cancelRun")
  @Idempotent
  @Waits
  @Fails({
    ErrorCode.RUN_NOT_FOUND,
    ErrorCode.RUN_ENDED,
    ErrorCode.UNREADABLE_BODY,
    ErrorCode.BODY_TOO_LARGE,
    ErrorCode.UNSUPPORTED_MEDIA_TYPE,
    ErrorCode.UNKNOWN_FIELD,
    ErrorCode.WRONG_TYPE,
    ErrorCode.STORED_BY_NEWER_RELEASE
  })
  @PostMapping("/cancel")
  ResponseEntity<RunBody> cancel(
      @PathVariable String id,
      @Parameter(hidden = true) @RequestBody(required = false) @Nullable NoBody nothing,
      IdempotencyKey key,
      Query query) {
    return act(id, runs::cancel, key, query);
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "pauseRun")
  @Idempotent
  @Waits
  @Fails({
    ErrorCode.RUN_NOT_FOUND,
    ErrorCode.RUN_ENDED,
    ErrorCode.NOTHING_TO_PAUSE,
    ErrorCode.UNREADABLE_BODY,
    ErrorCode.BODY_TOO_LARGE,
    ErrorCode.UNSUPPORTED_MEDIA_TYPE,
    ErrorCode.UNKNOWN_FIELD,
    ErrorCode.WRONG_TYPE,
    ErrorCode.STORED_BY_NEWER_RELEASE
  })
  @PostMapping("/pause")
  ResponseEntity<RunBody> pause(
      @PathVariable String id,
      @Parameter(hidden = true) @RequestBody(required = false) @Nullable NoBody nothing,
      IdempotencyKey key,
      Query query) {
    return act(id, pauses::pause, key, query);
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "stepRun")
  @Idempotent
  @Waits
  @Fails({
    ErrorCode.RUN_NOT_FOUND,
    ErrorCode.RUN_ENDED,
    ErrorCode.RUN_NOT_AT_REST,
    ErrorCode.NOTHING_TO_RESUME,
    ErrorCode.RUN_NOT_RESUMABLE,
    ErrorCode.THREAD_BUSY,
    ErrorCode.RUN_QUOTA_EXCEEDED,
    ErrorCode.BUDGET_EXHAUSTED,
    ErrorCode.UNREADABLE_BODY,
    ErrorCode.BODY_TOO_LARGE,
    ErrorCode.UNSUPPORTED_MEDIA_TYPE,
    ErrorCode.UNKNOWN_FIELD,
    ErrorCode.WRONG_TYPE,
    ErrorCode.STORED_BY_NEWER_RELEASE
  })
  @PostMapping("/step")
  ResponseEntity<RunBody> step(
      @PathVariable String id,
      @Parameter(hidden = true) @RequestBody(required = false) @Nullable NoBody nothing,
      IdempotencyKey key,
      Query query) {
    return act(id, pauses::step, key, query);
  }

  private ResponseEntity<RunBody> act(
      String id, Consumer<String> action, IdempotencyKey key, Query query) {
    query.waiting();
    var storedAnswer =
        idempotency.once(
            key,
            () -> {
              action.accept(id);
              return accepted(id);
            });
    return answers.changed(storedAnswer, query);
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "forkRun")
  @Idempotent
  @Located
  @Waits
  @Fails({
    ErrorCode.RUN_NOT_FOUND,
    ErrorCode.CHECKPOINT_NOT_FOUND,
    ErrorCode.VERSION_NOT_FOUND,
    ErrorCode.THREAD_BUSY,
    ErrorCode.INVALID_CHANGE,
    ErrorCode.LIMIT_EXCEEDED,
    ErrorCode.QUOTA_EXCEEDED,
    ErrorCode.RUN_QUOTA_EXCEEDED,
    ErrorCode.BUDGET_EXHAUSTED,
    ErrorCode.STORAGE_QUOTA_EXCEEDED,
    ErrorCode.STORED_BY_NEWER_RELEASE
  })
  @PostMapping(path = "/fork", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<RunBody> fork(
      @PathVariable String id, @RequestBody ForkBody body, IdempotencyKey key, Query query) {
    var request = body.read(id);
    query.waiting();
    runs.prepare(request);
    return answers.made(idempotency.once(key, () -> accepted(runs.fork(request))), query);
  }

  private static StoredAnswer accepted(String run) {
    return new StoredAnswer(HttpStatus.ACCEPTED.value(), run);
  }

  /// The body of a call without fields. `{}` is accepted for clients that always send an object.
  record NoBody() {}

  /// The request to fork a run.
  @Schema(name = "ForkRun")
  record ForkBody(
      @Nullable Integer checkpoint,
      @Nullable Integer version,
      @Nullable ChangeBody change,
      @Nullable ContextEditBody context,
      @JsonProperty("as_node") @Nullable String asNode,
      @Nullable LimitsBody limits,
      @JsonProperty("thread_id") @Nullable String threadId,
      @JsonProperty("if_busy") @Nullable String ifBusy,
      @JsonProperty("interrupt_before") @Nullable List<String> interruptBefore,
      @JsonProperty("interrupt_after") @Nullable List<String> interruptAfter) {

    public ForkRun read(String run) {
      var bodyChecks = new BodyChecks();
      var fork =
          new ForkRun(
              run,
              bodyChecks.required("/checkpoint", checkpoint, 0),
              Optional.ofNullable(version),
              ChangeBody.read(change),
              Optional.ofNullable(asNode),
              LimitsBody.read(limits, bodyChecks),
              ContextEditBody.read(context, bodyChecks),
              Optional.ofNullable(threadId).map(Tenant.current()::own),
              bodyChecks.forkIfBusy(ifBusy, threadId),
              BodyChecks.breakpoints(interruptBefore, interruptAfter));
      bodyChecks.throwIfAny();
      return fork;
    }
  }
}
