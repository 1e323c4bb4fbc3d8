package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.checkpoint.StoredObject;
import dev.superstep.checkpoint.WorkerEndCodec;
import dev.superstep.checkpoint.work.TaskQueues.BusyWorker;
import dev.superstep.checkpoint.work.TaskQueues.TaskQueue;
import dev.superstep.checkpoint.work.WorkSettings;
import dev.superstep.checkpoint.work.WorkerTasks.TaskBeat;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.http.QueryParameters;
import dev.superstep.http.openapi.Fails;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.check.LimitSettings;
import dev.superstep.run.work.WorkerService;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Reach;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Serves the calls of workers.
@Tag(name = "Workers", description = "Tasks that processes of your own execute")
@RestController
@RequestMapping(path = "/v1/tasks", produces = MediaType.APPLICATION_JSON_VALUE)
class WorkerController {
  private static final int TYPES_MAX = 20;
  private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
  private static final Pattern CODE = Pattern.compile("[a-z0-9_]{1,64}");
  private static final int WORKER_MAX = 128;
  private static final Duration RETRY_AFTER_MAX = Duration.ofDays(1);
  private static final int PROGRESS_MAX = 16_384;
  private static final UUID NO_TOKEN = new UUID(0, 0);

  private final WorkerService workers;
  private final WorkSettings settings;
  private final LimitSettings limits;

  WorkerController(WorkerService workers, WorkSettings settings, LimitSettings limits) {
    this.workers = workers;
    this.settings = settings;
    this.limits = limits;
  }

  @Requires(ApiScope.WORK)
  @Operation(operationId = "claimTasks")
  @QueryParameters({"type", "max", "wait", "worker"})
  @PostMapping("/claim")
  ClaimedTasksBody claim(Query query) {
    var types = Set.copyOf(query.all("type"));
    if (types.isEmpty() || types.size() > TYPES_MAX) {
      throw Query.invalid("type", "must be given, up to %d times".formatted(TYPES_MAX));
    }
    if (!types.stream().allMatch(it -> TYPE.matcher(it).matches())) {
      throw Query.invalid("type", "must match " + TYPE.pattern());
    }
    types.stream()
        .filter(it -> !Reach.admitsTasks(it))
        .findFirst()
        .ifPresent(it -> {
          throw unreached(it);
        });
    var worker = query.text("worker");
    if (worker.filter(it -> it.length() > WORKER_MAX).isPresent()) {
      throw Query.invalid("worker", "must have at most %d characters".formatted(WORKER_MAX));
    }
    int max = query.integer("max", 1, settings.claimMax()).orElse(1);
    var wait = query.waiting().orElse(Duration.ZERO);
    return new ClaimedTasksBody(
        workers.claim(types, worker, max, wait).stream().map(ClaimedTaskBody::new).toList());
  }

  private static ServiceException unreached(String type) {
    return new ServiceException(
        ErrorCode.INSUFFICIENT_SCOPE,
        "your key or token may not execute tasks of the type '%s'".formatted(type),
        List.of(),
        Map.of("scope", "%s:%s".formatted(ApiScope.WORK.text(), type)));
  }

  @Requires({ApiScope.WORK, ApiScope.READ})
  @Operation(operationId = "listTaskQueues")
  @GetMapping("/queues")
  TaskQueuesBody queues() {
    return new TaskQueuesBody(workers.queues().stream().map(TaskQueueBody::of).toList());
  }

  @Requires(ApiScope.WORK)
  @Operation(operationId = "heartbeatTask")
  @Fails({ErrorCode.TASK_NOT_FOUND, ErrorCode.TASK_LEASE_LOST})
  @PostMapping(path = "/{id}/heartbeat", consumes = MediaType.APPLICATION_JSON_VALUE)
  TaskLeaseBody heartbeat(@PathVariable String id, @RequestBody HeartbeatBody body) {
    var token = token(body.token());
    var progress = Optional.ofNullable(body.progress());
    if (progress.filter(it -> StoredObject.bytes(it).length > PROGRESS_MAX).isPresent()) {
      throw tooLong("/progress", PROGRESS_MAX);
    }
    return TaskLeaseBody.of(workers.heartbeat(id, token, progress));
  }

  @Requires(ApiScope.WORK)
  @Operation(operationId = "endTask")
  @Fails({ErrorCode.TASK_NOT_FOUND, ErrorCode.TASK_LEASE_LOST})
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @PostMapping(path = "/{id}/outcome", consumes = MediaType.APPLICATION_JSON_VALUE)
  void end(@PathVariable String id, @RequestBody OutcomeBody body) {
    var token = token(body.token());
    var end = body.read();
    long most = limits.resultMax().toBytes();
    if (WorkerEndCodec.bytes(end).length > most) {
      throw tooLong(end instanceof WorkerEnd.Failed ? "/error" : "/result", most);
    }
    workers.end(id, token, end);
  }

  @Requires(ApiScope.WORK)
  @Operation(operationId = "releaseTask")
  @Fails({ErrorCode.TASK_NOT_FOUND, ErrorCode.TASK_LEASE_LOST})
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @PostMapping(path = "/{id}/release", consumes = MediaType.APPLICATION_JSON_VALUE)
  void release(@PathVariable String id, @RequestBody ReleaseBody body) {
    workers.release(id, token(body.token()));
  }

  private static ServiceException tooLong(String pointer, long most) {
    return ServiceException.at(
        pointer, ErrorCode.INVALID_VALUE, "must have at most %d bytes".formatted(most));
  }

  static UUID token(@Nullable String text) {
    var bodyChecks = new BodyChecks();
    var token = NO_TOKEN;
    try {
      token = UUID.fromString(bodyChecks.required("/token", text, NO_TOKEN.toString()));
    } catch (IllegalArgumentException _) {
      bodyChecks.refuse("/token", ErrorCode.INVALID_VALUE, "must be the token of a claim");
    }
    bodyChecks.throwIfAny();
    return token;
  }

  @Schema(name = "ClaimedTasks")
  record ClaimedTasksBody(List<ClaimedTaskBody> items) {}

  @Schema(name = "TaskQueues")
  record TaskQueuesBody(List<TaskQueueBody> items) {}

  /// @param waitingSince Java's null: none is queued
  @Schema(name = "TaskQueue")
  record TaskQueueBody(
      String type,
      long queued,
      long claimed,
      @JsonProperty("waiting_since") @Nullable Instant waitingSince,
      List<BusyWorkerBody> workers) {

    static TaskQueueBody of(TaskQueue queue) {
      return new TaskQueueBody(
          queue.type(),
          queue.queued(),
          queue.claimed(),
          queue.waitingSince().orElse(null),
          queue.workers().stream().map(BusyWorkerBody::of).toList());
    }
  }

  /// @param name Java's null: it has given none
  @Schema(name = "BusyWorker")
  record BusyWorkerBody(
      @Nullable String name, long tasks, @JsonProperty("last_claim") Instant lastClaim) {
    static BusyWorkerBody of(BusyWorker worker) {
      return new BusyWorkerBody(worker.name().orElse(null), worker.tasks(), worker.lastClaim());
    }
  }

  /// @param progress Java's null: there is nothing new
  @Schema(name = "TaskHeartbeat")
  record HeartbeatBody(@Nullable String token, @Nullable Value progress) {}

  @Schema(name = "TaskRelease")
  record ReleaseBody(@Nullable String token) {}

  @Schema(name = "TaskLease")
  record TaskLeaseBody(boolean wanted, @JsonProperty("lease_until") Instant leaseUntil) {
    static TaskLeaseBody of(TaskBeat heartbeat) {
      return new TaskLeaseBody(heartbeat.wanted(), heartbeat.leaseUntil());
    }
  }

  /// @param result Java's null: the task failed
  @Schema(name = "TaskOutcome")
  record OutcomeBody(
      @Nullable String token, @Nullable Value result, @Nullable TaskErrorBody error) {

    WorkerEnd read() {
      var bodyChecks = new BodyChecks();
      if ((result == null) == (error == null)) {
        bodyChecks.refuse(
            "", ErrorCode.INVALID_REQUEST, "needs either result or error, and not both");
      }
      var read =
          error == null
              ? new WorkerEnd.Returned(Objects.requireNonNullElse(result, Value.NULL))
              : new WorkerEnd.Failed(error.read(bodyChecks, "/error"));
      bodyChecks.throwIfAny();
      return read;
    }
  }

  /// Why a worker has failed.
  ///
  /// @param retryable Java's null: it is not
  @Schema(name = "TaskFailure")
  record TaskErrorBody(
      @Nullable String code,
      @Nullable String message,
      @Nullable Boolean retryable,
      @JsonProperty("retry_after") @Nullable String retryAfter,
      @Nullable ObjectValue details) {

    static TaskErrorBody of(TaskError error) {
      return new TaskErrorBody(
          error.code(),
          error.message(),
          error.retryable() == Retryable.YES,
          error.retryAfter().map(Duration::toString).orElse(null),
          error.details());
    }

    /// @param at its pointer
    TaskError read(BodyChecks bodyChecks, String at) {
      var named = bodyChecks.required(at + "/code", code, "failed");
      if (!CODE.matcher(named).matches()) {
        bodyChecks.refuse(at + "/code", ErrorCode.INVALID_VALUE, "must match " + CODE.pattern());
      }
      return new TaskError(
          named,
          bodyChecks.required(at + "/message", message, ""),
          Boolean.TRUE.equals(retryable) ? Retryable.YES : Retryable.NO,
          pause(bodyChecks, at + "/retry_after"),
          details == null ? ObjectValue.empty() : details);
    }

    private Optional<Duration> pause(BodyChecks bodyChecks, String at) {
      var pause = bodyChecks.duration(at, retryAfter);
      if (pause.filter(it -> it.compareTo(RETRY_AFTER_MAX) > 0).isPresent()) {
        bodyChecks.refuse(at, ErrorCode.INVALID_VALUE, "must be at most one day");
        return Optional.empty();
      }
      return pause;
    }
  }
}
