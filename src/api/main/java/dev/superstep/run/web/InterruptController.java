package dev.superstep.run.web;

import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.checkpoint.row.Interrupts;
import dev.superstep.http.Listing;
import dev.superstep.http.Paged;
import dev.superstep.http.QueryParameters;
import dev.superstep.http.Waits;
import dev.superstep.http.openapi.Fails;
import dev.superstep.idempotency.Idempotency;
import dev.superstep.idempotency.IdempotencyKey;
import dev.superstep.idempotency.Idempotent;
import dev.superstep.idempotency.StoredAnswer;
import dev.superstep.problem.Callers;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.run.InterruptFilter;
import dev.superstep.run.QuestionService;
import dev.superstep.run.RunProgress;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunService;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Serves the calls that list, read and answer interrupts.
@Tag(name = "Interrupts", description = "Questions that runs ask people")
@RestController
@RequestMapping(path = "/v1", produces = MediaType.APPLICATION_JSON_VALUE)
class InterruptController {
  private final RunService runs;
  private final RunQueries queries;
  private final RunAnswers answers;
  private final Idempotency idempotency;
  private final QuestionService questions;
  private final Callers callers;

  InterruptController(
      RunService runs,
      RunQueries queries,
      RunAnswers answers,
      Idempotency idempotency,
      QuestionService questions,
      Callers callers) {
    this.questions = questions;
    this.callers = callers;
    this.runs = runs;
    this.queries = queries;
    this.answers = answers;
    this.idempotency = idempotency;
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "listRunInterrupts")
  @Paged
  @Fails(ErrorCode.RUN_NOT_FOUND)
  @GetMapping("/runs/{id}/interrupts")
  Listing<InterruptBody> ofRun(@PathVariable String id, Query query) {
    return list(InterruptFilter.of(id), query);
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "listInterrupts")
  @Paged
  @QueryParameters({"status", "graph", "assigned"})
  @GetMapping("/interrupts")
  Listing<InterruptBody> all(Query query) {
    var status =
        query.oneOf("status", StoredInterrupt.Status.values(), StoredInterrupt.Status::apiName);
    return list(
        new InterruptFilter(
            Optional.empty(),
            query.text("graph").map(Tenant.current()::own),
            status,
            query.oneOf("assigned", Assigned.values(), Assigned::text).map(this::whose)),
        query);
  }

  /// To whom the questions of a list are assigned.
  enum Assigned {
    ME,
    NOBODY,
    MY_GROUPS;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private Interrupts.Whose whose(Assigned assigned) {
    var me = callers.answerer();
    return switch (assigned) {
      case ME -> new Interrupts.Whose(true, me.people(), false);
      case MY_GROUPS -> new Interrupts.Whose(false, me.groupsAndRoles(), false);
      case NOBODY ->
          new Interrupts.Whose(
              false,
              Stream.concat(me.people().stream(), me.groupsAndRoles().stream()).toList(),
              true);
    };
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "getInterrupt")
  @Fails(ErrorCode.INTERRUPT_NOT_FOUND)
  @GetMapping("/interrupts/{id}")
  InterruptBody get(@PathVariable String id) {
    return new InterruptBody(queries.interrupt(id));
  }

  @Requires(ApiScope.ANSWER)
  @Operation(operationId = "answerInterrupt")
  @Idempotent
  @Waits
  @Fails({
    ErrorCode.INTERRUPT_NOT_FOUND,
    ErrorCode.INTERRUPT_CLOSED,
    ErrorCode.INVALID_ANSWER,
    ErrorCode.RUN_QUOTA_EXCEEDED,
    ErrorCode.STORED_BY_NEWER_RELEASE
  })
  @PostMapping(path = "/interrupts/{id}/answer", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<RunBody> answer(
      @PathVariable String id, @RequestBody AnswerBody body, IdempotencyKey key, Query query) {
    var value = body.read();
    query.waiting();
    var checked = runs.check(id, value);
    if (Boolean.TRUE.equals(body.override())) {
      checked.override();
    }
    var progress = new AtomicReference<@Nullable RunProgress>();
    var storedAnswer =
        idempotency.once(
            key,
            () -> {
              var answered = runs.answer(id, value, checked);
              answered.progress().ifPresent(progress::set);
              return new StoredAnswer(HttpStatus.ACCEPTED.value(), answered.run());
            });
    return answers.changed(storedAnswer, query, Optional.ofNullable(progress.get()));
  }

  @Requires(ApiScope.ANSWER)
  @Operation(operationId = "claimInterrupt")
  @Fails({
    ErrorCode.INTERRUPT_NOT_FOUND,
    ErrorCode.INTERRUPT_CLOSED,
    ErrorCode.INTERRUPT_CLAIMED,
    ErrorCode.FORBIDDEN
  })
  @PostMapping("/interrupts/{id}/claim")
  InterruptBody claim(@PathVariable String id) {
    questions.claim(id);
    return get(id);
  }

  @Requires(ApiScope.ANSWER)
  @Operation(operationId = "releaseInterrupt")
  @Fails({
    ErrorCode.INTERRUPT_NOT_FOUND,
    ErrorCode.INTERRUPT_CLOSED,
    ErrorCode.CONFLICT,
    ErrorCode.FORBIDDEN
  })
  @PostMapping("/interrupts/{id}/release")
  InterruptBody release(@PathVariable String id) {
    questions.release(id);
    return get(id);
  }

  @Requires(ApiScope.ANSWER)
  @Operation(operationId = "delegateInterrupt")
  @Fails({
    ErrorCode.INTERRUPT_NOT_FOUND,
    ErrorCode.INTERRUPT_CLOSED,
    ErrorCode.INVALID_VALUE,
    ErrorCode.FORBIDDEN
  })
  @PostMapping(path = "/interrupts/{id}/delegate", consumes = MediaType.APPLICATION_JSON_VALUE)
  InterruptBody delegate(@PathVariable String id, @RequestBody DelegateBody body) {
    var bodyChecks = new BodyChecks();
    var to = bodyChecks.required("/to", body.to(), "");
    bodyChecks.throwIfAny();
    questions.delegate(id, to, Boolean.TRUE.equals(body.override()));
    return get(id);
  }

  /// @param to a person
  @Schema(name = "DelegateInterrupt")
  record DelegateBody(@Nullable String to, @Nullable Boolean override) {}

  private Listing<InterruptBody> list(InterruptFilter filter, Query query) {
    var page = queries.interrupts(filter, RunSearch.page(query));
    return Listing.of(page.items().stream().map(InterruptBody::new).toList(), page.next());
  }

  /// @param value Java's null: the field is missing
  @Schema(name = "AnswerInterrupt")
  record AnswerBody(@Nullable Value value, @Nullable Boolean override) {

    public Value read() {
      var bodyChecks = new BodyChecks();
      var answer = bodyChecks.required("/value", value, Value.NULL);
      bodyChecks.throwIfAny();
      return answer;
    }
  }
}
