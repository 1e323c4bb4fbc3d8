package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.definition.RunTiming;
import dev.superstep.definition.RunTiming.CatchUp;
import dev.superstep.definition.RunTiming.Overlap;
import dev.superstep.http.Listing;
import dev.superstep.http.Located;
import dev.superstep.http.Paged;
import dev.superstep.http.QueryParameters;
import dev.superstep.http.openapi.Fails;
import dev.superstep.idempotency.Idempotency;
import dev.superstep.idempotency.IdempotencyKey;
import dev.superstep.idempotency.Idempotent;
import dev.superstep.idempotency.StoredAnswer;
import dev.superstep.json.Json;
import dev.superstep.problem.Cursor;
import dev.superstep.problem.DurationText;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.Query;
import dev.superstep.problem.ServiceException;
import dev.superstep.problem.TimeText;
import dev.superstep.run.IfBusy;
import dev.superstep.run.trigger.PlannedStart;
import dev.superstep.run.trigger.PlannedStart.MissReason;
import dev.superstep.run.trigger.RunSchedule;
import dev.superstep.run.trigger.RunSchedule.StartRequest;
import dev.superstep.run.trigger.RunSchedules;
import dev.superstep.run.trigger.RunSchedules.NewSchedule;
import dev.superstep.run.trigger.StartForm;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
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

/// Serves the calls that make, change, list and delete schedules.
@Tag(name = "Schedules", description = "Runs that start by themselves")
@RestController
@RequestMapping(path = "/v1/schedules", produces = MediaType.APPLICATION_JSON_VALUE)
class RunScheduleController {
  private static final String END = "a time such as 2026-01-31T12:00:00Z, or null";

  private final RunSchedules schedules;
  private final PlainStartForm form;
  private final Idempotency idempotency;

  RunScheduleController(RunSchedules schedules, PlainStartForm form, Idempotency idempotency) {
    this.schedules = schedules;
    this.form = form;
    this.idempotency = idempotency;
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "createSchedule")
  @Idempotent
  @Located
  @Fails({
    ErrorCode.SCHEDULE_EXISTS,
    ErrorCode.GRAPH_NOT_FOUND,
    ErrorCode.VERSION_NOT_FOUND,
    ErrorCode.INVALID_INPUT,
    ErrorCode.LIMIT_EXCEEDED
  })
  @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<ScheduleBody> create(@RequestBody NewScheduleBody body, IdempotencyKey key) {
    var wanted = wanted(body);
    var storedAnswer =
        idempotency.once(
            key, () -> new StoredAnswer(HttpStatus.CREATED.value(), schedules.create(wanted)));
    var schedule = schedules.get(storedAnswer.resource());
    return ResponseEntity.status(storedAnswer.status())
        .headers(storedAnswer.headers())
        .header(HttpHeaders.LOCATION, "/v1/schedules/" + Tenant.shown(schedule.id()))
        .body(body(schedule));
  }

  private NewSchedule wanted(NewScheduleBody body) {
    var run = required("/run", body.run());
    var timing =
        new RunTiming(
            RunSchedules.times(
                required("/cron", body.cron()), Optional.ofNullable(body.zone()).orElse("UTC")),
            jitter(body.jitter()).orElse(Duration.ZERO),
            overlap(body.overlap()).orElse(Overlap.SKIP),
            catchUp(body.catchUp()).orElse(CatchUp.LAST));
    return new NewSchedule(
        Optional.ofNullable(body.id()).map(Tenant.current()::own),
        graph(run),
        timing,
        new StartRequest(StartForm.PLAIN, form.write(run)),
        Boolean.TRUE.equals(body.paused()),
        Optional.ofNullable(body.endsAt()));
  }

  private String graph(StartRunBody run) {
    if (run.namesOneRun()) {
      throw ServiceException.at(
          "/run", ErrorCode.INVALID_VALUE, "has an id or a start_at, which its runs cannot share");
    }
    var start = form.requireAccepted(run);
    if (start.options().ifBusy() == IfBusy.STEER) {
      throw ServiceException.at(
          "/run/if_busy",
          ErrorCode.INVALID_VALUE,
          "must be reject, enqueue, interrupt or rollback: a schedule starts runs");
    }
    return start.graph();
  }

  private static <T> T required(String pointer, @Nullable T value) {
    if (value == null) {
      throw ServiceException.at(pointer, ErrorCode.MISSING_FIELD, "is required");
    }
    return value;
  }

  private static Optional<Duration> jitter(@Nullable String text) {
    return read(
        "/jitter",
        text,
        it -> DurationText.parse(it).filter(found -> found.compareTo(RunTiming.JITTER_MAX) <= 0),
        "a duration of at most 24h, such as 90s, 5m or PT5M");
  }

  private static Optional<Overlap> overlap(@Nullable String text) {
    return read("/overlap", text, Overlap::find, "skip, queue, cancel_old or allow");
  }

  private static Optional<CatchUp> catchUp(@Nullable String text) {
    return read("/catch_up", text, CatchUp::find, "none, last or all");
  }

  private static <T> Optional<T> read(
      String pointer, @Nullable String text, Function<String, Optional<T>> find, String words) {
    return Optional.ofNullable(text)
        .map(given ->
            find.apply(given)
                .orElseThrow(() ->
                    ServiceException.at(pointer, ErrorCode.INVALID_VALUE, "must be " + words)));
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "listSchedules")
  @Paged
  @QueryParameters("graph")
  @GetMapping
  Listing<ScheduleBody> list(Query query) {
    int limit = query.limit();
    var found =
        schedules.page(
            query.text("graph").map(Tenant.current()::own),
            query.cursor().map(it -> Tenant.current().own(Cursor.read(it, 1).text(0))),
            limit + 1);
    var shown = found.subList(0, Math.min(limit, found.size()));
    return Listing.of(
        shown.stream().map(it -> new ScheduleBody(it, List.of())).toList(),
        found.size() > limit
            ? Optional.of(Cursor.write(List.of(Tenant.shown(shown.getLast().id()))))
            : Optional.empty());
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "getSchedule")
  @Fails(ErrorCode.SCHEDULE_NOT_FOUND)
  @GetMapping("/{id}")
  ScheduleBody get(@PathVariable String id) {
    return body(schedules.get(id));
  }

  private ScheduleBody body(RunSchedule schedule) {
    return new ScheduleBody(
        schedule, schedules.starts(schedule).stream().map(StartOfScheduleBody::of).toList());
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "updateSchedule")
  @Fails({
    ErrorCode.SCHEDULE_NOT_FOUND,
    ErrorCode.CONFLICT,
    ErrorCode.GRAPH_NOT_FOUND,
    ErrorCode.VERSION_NOT_FOUND,
    ErrorCode.INVALID_INPUT,
    ErrorCode.LIMIT_EXCEEDED
  })
  @PatchMapping(path = "/{id}", consumes = MediaType.APPLICATION_JSON_VALUE)
  ScheduleBody update(@PathVariable String id, @RequestBody ScheduleChangeBody body) {
    var graph = Optional.ofNullable(body.run()).map(this::graph);
    schedules.update(id, it -> changed(it, body, graph));
    return body(schedules.get(id));
  }

  private RunSchedule changed(RunSchedule before, ScheduleChangeBody body, Optional<String> graph) {
    var timing = before.timing();
    var times = timing.times();
    var changed =
        before
            .withTiming(
                new RunTiming(
                    RunSchedules.times(
                        Optional.ofNullable(body.cron()).orElse(times.text()),
                        Optional.ofNullable(body.zone()).orElse(times.zone().getId())),
                    jitter(body.jitter()).orElse(timing.jitter()),
                    overlap(body.overlap()).orElse(timing.overlap()),
                    catchUp(body.catchUp()).orElse(timing.catchUp())),
                endsAt(body.endsAt(), before.endsAt()))
            .withPaused(Optional.ofNullable(body.paused()).orElse(before.paused()));
    var run = body.run();
    return run == null
        ? changed
        : changed.withRequest(
            graph.orElseThrow(), new StartRequest(StartForm.PLAIN, form.write(run)));
  }

  /// `null` takes it away, which is not the same as nothing.
  private static Optional<Instant> endsAt(@Nullable Value given, Optional<Instant> before) {
    return switch (given) {
      case null -> before;
      case Value.Null _ -> Optional.empty();
      case Value.Text(var text) -> read("/ends_at", text, TimeText::parse, END);
      default -> throw ServiceException.at("/ends_at", ErrorCode.INVALID_VALUE, "must be " + END);
    };
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "deleteSchedule")
  @Fails({ErrorCode.SCHEDULE_NOT_FOUND, ErrorCode.CONFLICT})
  @DeleteMapping(path = "/{id}", produces = MediaType.ALL_VALUE)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable String id) {
    schedules.delete(id);
  }

  /// The request to make a schedule.
  @Schema(name = "NewSchedule")
  record NewScheduleBody(
      @Nullable String id,
      @Nullable String cron,
      @Nullable String zone,
      @Nullable String jitter,
      @Nullable String overlap,
      @JsonProperty("catch_up") @Nullable String catchUp,
      @Nullable Boolean paused,
      @JsonProperty("ends_at") @Nullable Instant endsAt,
      @Nullable StartRunBody run) {}

  /// The request to change a schedule: what is not given stays.
  @Schema(name = "ScheduleChange")
  record ScheduleChangeBody(
      @Nullable String cron,
      @Nullable String zone,
      @Nullable String jitter,
      @Nullable String overlap,
      @JsonProperty("catch_up") @Nullable String catchUp,
      @Nullable Boolean paused,
      @JsonProperty("ends_at") @Schema(type = "string", format = "date-time")
          @Nullable Value endsAt,
      @Nullable StartRunBody run) {}

  /// A schedule in answers of the API. A class and not a record, which could not have so many
  /// components.
  @JsonAutoDetect(fieldVisibility = Visibility.ANY)
  @Schema(name = "Schedule")
  static final class ScheduleBody {
    final String id;
    final String graph;
    final @Nullable String trigger;
    final String cron;
    final String zone;
    final String jitter;
    final String overlap;

    @JsonProperty("catch_up")
    final String catchUp;

    final boolean paused;

    @JsonProperty("ends_at")
    final @Nullable Instant endsAt;

    final Value run;

    @JsonProperty("created_at")
    final Instant createdAt;

    @JsonProperty("created_by")
    final @Nullable String createdBy;

    final List<Instant> next;

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    final @Nullable List<StartOfScheduleBody> starts;

    private ScheduleBody(RunSchedule schedule, List<StartOfScheduleBody> starts) {
      var timing = schedule.timing();
      id = Tenant.shown(schedule.id());
      graph = Tenant.shown(schedule.graph());
      trigger = schedule.trigger().orElse(null);
      cron = timing.times().text();
      zone = timing.times().zone().getId();
      jitter = DurationText.write(timing.jitter());
      overlap = timing.overlap().text();
      catchUp = timing.catchUp().text();
      paused = schedule.paused();
      endsAt = schedule.endsAt().orElse(null);
      run = Json.read(schedule.request().json());
      createdAt = schedule.written().createdAt();
      createdBy = schedule.caller().id().isEmpty() ? null : schedule.caller().id();
      next = RunSchedules.next(schedule);
      this.starts = starts;
    }
  }

  /// What became of a time of a schedule.
  @Schema(name = "ScheduleStart")
  record StartOfScheduleBody(
      @JsonProperty("planned_at") Instant plannedAt,
      String status,
      @JsonProperty("run_id") @Nullable String runId,
      @Nullable String reason,
      @Nullable String detail,
      @JsonProperty("decided_at") Instant decidedAt) {

    static StartOfScheduleBody of(PlannedStart start) {
      return new StartOfScheduleBody(
          start.plannedAt(),
          start.status().text(),
          start.run().map(Tenant::shown).orElse(null),
          start.reason().map(MissReason::why).orElse(null),
          start.reason().map(MissReason::detail).orElse(null),
          start.decidedAt());
    }
  }
}
