package dev.superstep.run.web;

import dev.superstep.checkpoint.StepCodec;
import dev.superstep.checkpoint.WorkerEndCodec;
import dev.superstep.checkpoint.step.TaskSteps.StoredStep;
import dev.superstep.engine.checkpoint.StepRecord;
import dev.superstep.engine.checkpoint.StepRecord.StepEnd;
import dev.superstep.engine.checkpoint.StepRecord.StepKind;
import dev.superstep.engine.node.StepJournal;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.http.openapi.Fails;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.check.LimitSettings;
import dev.superstep.run.web.WorkerController.TaskErrorBody;
import dev.superstep.run.work.WorkerService;
import dev.superstep.run.work.WorkerStepsService;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Serves the durable steps of workers.
@Tag(name = "Workers")
@RestController
@RequestMapping(path = "/v1/tasks", produces = MediaType.APPLICATION_JSON_VALUE)
class WorkerStepsController {
  private final WorkerStepsService steps;
  private final WorkerService workers;
  private final LimitSettings limits;

  WorkerStepsController(WorkerStepsService steps, WorkerService workers, LimitSettings limits) {
    this.steps = steps;
    this.workers = workers;
    this.limits = limits;
  }

  @Requires(ApiScope.WORK)
  @Operation(operationId = "recordTaskStep")
  @Fails({ErrorCode.TASK_NOT_FOUND, ErrorCode.TASK_LEASE_LOST, ErrorCode.STEP_MISMATCH})
  @PostMapping(path = "/{id}/steps", consumes = MediaType.APPLICATION_JSON_VALUE)
  TaskStepsBody record(@PathVariable String id, @RequestBody TaskStepsRequest body) {
    var token = WorkerController.token(body.token());
    if (body.step() == null) {
      var page = steps.read(id, token, body.place());
      return new TaskStepsBody(
          page.steps().stream().map(it -> shown(it, token, steps.isOpen(it))).toList(),
          page.more());
    }
    var recorded =
        body.step().ask() == null
            ? recorded(id, token, body.step().read(steps))
            : ask(id, token, body.step().question());
    return new TaskStepsBody(List.of(recorded), false);
  }

  private TaskStepBody recorded(String id, UUID token, StepRecord step) {
    var recorded = steps.record(id, token, step, sized(step));
    return shown(recorded.step(), token, recorded.waits());
  }

  private TaskStepBody ask(String id, UUID token, WorkerEnd.StepQuestion question) {
    sized(WorkerEndCodec.bytes(question).length);
    var known = steps.find(id, token, question);
    if (known.isPresent()) {
      return shown(known.get(), token, false);
    }
    workers.end(id, token, question);
    return new TaskStepBody(
        question.ordinal(),
        question.name(),
        TaskStepKind.ASK.text(),
        StepStatus.WAITING.text(),
        null,
        null);
  }

  private static TaskStepBody shown(StoredStep step, UUID token, boolean waits) {
    return TaskStepBody.of(step.record(), waits ? StepStatus.WAITING : status(step, token));
  }

  private static StepStatus status(StoredStep step, UUID token) {
    return switch (step.record().end().orElse(null)) {
      case StepEnd.StepResult _ -> StepStatus.SUCCEEDED;
      case StepEnd.StepFailure _ -> StepStatus.FAILED;
      case null -> step.attempt().equals(token) ? StepStatus.BEGUN : StepStatus.LOST;
    };
  }

  private long sized(StepRecord step) {
    return sized(step.end().map(it -> StepCodec.bytes(it).length).orElse(0));
  }

  private long sized(long bytes) {
    long most = limits.resultMax().toBytes();
    if (bytes > most) {
      throw ServiceException.at(
          "/step", ErrorCode.INVALID_VALUE, "must have at most %d bytes".formatted(most));
    }
    return bytes;
  }

  /// @param from Java's null: from the first one
  /// @param step Java's null: the recorded ones are read
  @Schema(name = "TaskStepsRequest")
  record TaskStepsRequest(
      @Nullable String token, @Nullable Integer from, @Nullable NewStepBody step) {

    private int place() {
      var bodyChecks = new BodyChecks();
      int place = from == null ? 0 : NewStepBody.place(bodyChecks, "/from", from);
      bodyChecks.throwIfAny();
      return place;
    }
  }

  /// At most one of the members behind the name is given; if none is, the step begins, and may be
  /// made once only.
  @Schema(name = "NewTaskStep")
  record NewStepBody(
      @Nullable Integer ordinal,
      @Nullable String name,
      @Nullable Value result,
      @Nullable TaskErrorBody error,
      @Nullable String sleep,
      @Nullable ObjectValue ask) {
    private static final Duration SLEEP_MAX = Duration.ofDays(366);

    private StepRecord read(WorkerStepsService steps) {
      var bodyChecks = new BodyChecks();
      checkMembers(bodyChecks);
      int place = place(bodyChecks);
      var named = named(bodyChecks);
      var duration = bodyChecks.duration("/step/sleep", sleep);
      if (duration.filter(it -> it.compareTo(SLEEP_MAX) > 0).isPresent()) {
        bodyChecks.refuse("/step/sleep", ErrorCode.INVALID_VALUE, "must be at most 366 days");
      }
      var end = end(bodyChecks);
      bodyChecks.throwIfAny();
      return duration
          .map(it -> steps.sleeping(place, named, it))
          .orElseGet(() ->
              new StepRecord(place, named, end.isEmpty() ? StepKind.ONCE : StepKind.RUN, end));
    }

    private WorkerEnd.StepQuestion question() {
      var bodyChecks = new BodyChecks();
      checkMembers(bodyChecks);
      var asked =
          new WorkerEnd.StepQuestion(
              place(bodyChecks), named(bodyChecks), ask == null ? ObjectValue.empty() : ask);
      bodyChecks.throwIfAny();
      return asked;
    }

    private void checkMembers(BodyChecks bodyChecks) {
      if (Stream.of(result, error, sleep, ask).filter(Objects::nonNull).count() > 1) {
        bodyChecks.refuse(
            "/step", ErrorCode.INVALID_REQUEST, "has one of result, error, sleep and ask at most");
      }
    }

    private int place(BodyChecks bodyChecks) {
      return place(bodyChecks, "/step/ordinal", bodyChecks.required("/step/ordinal", ordinal, 0));
    }

    private String named(BodyChecks bodyChecks) {
      var named = bodyChecks.required("/step/name", name, "step");
      if (!StepJournal.NAME.matcher(named).matches()) {
        bodyChecks.refuse(
            "/step/name", ErrorCode.INVALID_VALUE, "must match " + StepJournal.NAME.pattern());
      }
      return named;
    }

    private static int place(BodyChecks bodyChecks, String pointer, int place) {
      if (place < 0 || place >= StepJournal.COUNT_MAX) {
        bodyChecks.refuse(
            pointer,
            ErrorCode.INVALID_VALUE,
            "must be from 0 to %d".formatted(StepJournal.COUNT_MAX - 1));
      }
      return place;
    }

    private Optional<StepEnd> end(BodyChecks bodyChecks) {
      if (error != null) {
        return Optional.of(new StepEnd.StepFailure(error.read(bodyChecks, "/step/error")));
      }
      return Optional.ofNullable(result).map(StepEnd.StepResult::new);
    }
  }

  /// @param more whether there are more behind them
  @Schema(name = "TaskSteps")
  record TaskStepsBody(List<TaskStepBody> items, boolean more) {}

  enum StepStatus {
    SUCCEEDED,
    FAILED,
    /// By this claim, and has not ended.
    BEGUN,
    /// By an earlier claim, and nobody knows what became of it.
    LOST,
    /// Somebody gets the task again once it has ended.
    WAITING;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  enum TaskStepKind {
    CALL,
    SLEEP,
    ASK;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    static TaskStepKind of(StepKind kind) {
      return switch (kind) {
        case SLEEP -> SLEEP;
        case ASK -> ASK;
        case RUN, ONCE, CALL, SIDE, INNER -> CALL;
      };
    }
  }

  @Schema(name = "TaskStep")
  record TaskStepBody(
      int ordinal,
      String name,
      String kind,
      String status,
      @Nullable Value result,
      @Nullable TaskErrorBody error) {

    static TaskStepBody of(StepRecord step, StepStatus status) {
      var end = step.end().orElse(null);
      return new TaskStepBody(
          step.ordinal(),
          step.name(),
          TaskStepKind.of(step.kind()).text(),
          status.text(),
          end instanceof StepEnd.StepResult(var result) ? result : null,
          end instanceof StepEnd.StepFailure(var error) ? TaskErrorBody.of(error) : null);
    }
  }
}
