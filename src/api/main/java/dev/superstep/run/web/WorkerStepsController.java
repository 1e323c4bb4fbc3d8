package dev.superstep.run.web;

import dev.superstep.checkpoint.StepCodec;
import dev.superstep.checkpoint.step.TaskSteps.StoredStep;
import dev.superstep.engine.checkpoint.StepRecord;
import dev.superstep.engine.checkpoint.StepRecord.StepEnd;
import dev.superstep.engine.checkpoint.StepRecord.StepKind;
import dev.superstep.engine.node.StepJournal;
import dev.superstep.http.openapi.Fails;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.check.LimitSettings;
import dev.superstep.run.web.WorkerController.TaskErrorBody;
import dev.superstep.run.work.WorkerStepsService;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.state.value.Value;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
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
  private final LimitSettings limits;

  WorkerStepsController(WorkerStepsService steps, LimitSettings limits) {
    this.steps = steps;
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
          page.steps().stream().map(it -> TaskStepBody.of(it, token)).toList(), page.more());
    }
    var step = body.step().read();
    var recorded = steps.record(id, token, step, sized(step));
    return new TaskStepsBody(List.of(TaskStepBody.of(recorded, token)), false);
  }

  private long sized(StepRecord step) {
    long bytes = step.end().map(it -> StepCodec.bytes(it).length).orElse(0);
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

  /// @param result Java's null, as is `error`: it begins, and may be made once only
  @Schema(name = "NewTaskStep")
  record NewStepBody(
      @Nullable Integer ordinal,
      @Nullable String name,
      @Nullable Value result,
      @Nullable TaskErrorBody error) {

    private StepRecord read() {
      var bodyChecks = new BodyChecks();
      int place =
          place(bodyChecks, "/step/ordinal", bodyChecks.required("/step/ordinal", ordinal, 0));
      var named = bodyChecks.required("/step/name", name, "step");
      if (!StepJournal.NAME.matcher(named).matches()) {
        bodyChecks.refuse(
            "/step/name", ErrorCode.INVALID_VALUE, "must match " + StepJournal.NAME.pattern());
      }
      if (result != null && error != null) {
        bodyChecks.refuse("/step", ErrorCode.INVALID_REQUEST, "has a result or an error, not both");
      }
      var end = end(bodyChecks);
      bodyChecks.throwIfAny();
      return new StepRecord(place, named, end.isEmpty() ? StepKind.ONCE : StepKind.RUN, end);
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
    LOST
  }

  @Schema(name = "TaskStep")
  record TaskStepBody(
      int ordinal,
      String name,
      String status,
      @Nullable Value result,
      @Nullable TaskErrorBody error) {

    static TaskStepBody of(StoredStep stored, UUID token) {
      var step = stored.record();
      return switch (step.end().orElse(null)) {
        case StepEnd.StepResult(var result) -> of(step, StepStatus.SUCCEEDED, result, null);
        case StepEnd.StepFailure(var error) ->
            of(step, StepStatus.FAILED, null, TaskErrorBody.of(error));
        case null ->
            of(
                step,
                stored.attempt().equals(token) ? StepStatus.BEGUN : StepStatus.LOST,
                null,
                null);
      };
    }

    private static TaskStepBody of(
        StepRecord step, StepStatus status, @Nullable Value result, @Nullable TaskErrorBody error) {
      return new TaskStepBody(
          step.ordinal(), step.name(), status.name().toLowerCase(Locale.ROOT), result, error);
    }
  }
}
