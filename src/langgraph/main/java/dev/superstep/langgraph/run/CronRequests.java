package dev.superstep.langgraph.run;

import dev.superstep.definition.RunTiming;
import dev.superstep.definition.RunTiming.CatchUp;
import dev.superstep.definition.RunTiming.Overlap;
import dev.superstep.json.Json;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.RequestFields;
import dev.superstep.run.trigger.RunSchedule;
import dev.superstep.run.trigger.RunSchedule.StartRequest;
import dev.superstep.run.trigger.RunSchedules;
import dev.superstep.run.trigger.RunSchedules.NewSchedule;
import dev.superstep.run.trigger.StartForm;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/// Reads crons: when they start runs, and the calls by which they do, which are kept as clients
/// have sent them.
@Component
@OnLangGraph
class CronRequests implements StartForm {
  static final String NAME = "langgraph";
  static final String THREAD = "thread_id";
  static final String ON_RUN_COMPLETED = "on_run_completed";
  private static final String ON_COMPLETION = "on_completion";
  private static final String METADATA = "metadata";
  private static final String SCHEDULE = "schedule";
  private static final String TIMEZONE = "timezone";
  private static final String END_TIME = "end_time";
  private static final String ENABLED = "enabled";

  /// Members that say when, and not what.
  private static final Set<String> TIMING = Set.of(SCHEDULE, TIMEZONE, END_TIME, ENABLED);

  private final RunRequests requests;
  private final RunLauncher launcher;

  CronRequests(RunRequests requests, RunLauncher launcher) {
    this.requests = requests;
    this.launcher = launcher;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Supplier<String> prepare(String json, String run, Map<String, String> metadata) {
    var stored = (ObjectValue) Json.read(json);
    var thread = RequestFields.of(stored).text(THREAD).map(Tenant.current()::own);
    var all = RequestFields.of(stored).objectOrEmpty(METADATA);
    for (var entry : metadata.entrySet()) {
      all = all.plus(entry.getKey(), Value.of(entry.getValue()));
    }
    var request = requests.read(call(stored).plus(METADATA, all).plus("run_id", Value.of(id(run))));
    var launch = launcher.prepare(thread, request);
    return () -> launch.get().call().run();
  }

  /// Clients take ids of runs for UUIDs.
  private static String id(String run) {
    return UUID.nameUUIDFromBytes(run.getBytes(StandardCharsets.UTF_8)).toString();
  }

  private static ObjectValue call(ObjectValue stored) {
    var completion = RequestFields.of(stored).oneOf(ON_RUN_COMPLETED, List.of("delete", "keep"));
    var call = stored.minus(THREAD).minus(ON_RUN_COMPLETED);
    return completion.map(it -> call.plus(ON_COMPLETION, Value.of(it))).orElse(call);
  }

  /// @param thread in which its runs are; empty: none
  NewSchedule read(Optional<String> thread, ObjectValue body) {
    var fields = RequestFields.of(body);
    var request = request(thread.map(Tenant::shown), body);
    return new NewSchedule(
        Optional.empty(),
        graph(request),
        timing(fields.required(SCHEDULE), fields.text(TIMEZONE).orElse("UTC")),
        stored(request),
        !fields.flag(ENABLED).orElse(true),
        endTime(fields));
  }

  /// What a client has changed of a cron.
  RunSchedule changed(RunSchedule before, ObjectValue body) {
    var fields = RequestFields.of(body);
    var times = before.timing().times();
    var request = payload(before);
    for (var member : body.asMap().entrySet()) {
      if (!TIMING.contains(member.getKey()) && !member.getKey().equals(THREAD)) {
        request = request.plus(member.getKey(), member.getValue());
      }
    }
    var changed =
        before
            .withTiming(
                timing(
                    fields.text(SCHEDULE).orElse(times.text()),
                    fields.text(TIMEZONE).orElse(times.zone().getId())),
                endTime(fields).or(before::endsAt))
            .withPaused(fields.flag(ENABLED).map(it -> !it).orElse(before.paused()));
    return request.equals(payload(before))
        ? changed
        : changed.withRequest(graph(request), stored(request));
  }

  /// The call by which it starts runs, with its thread.
  static ObjectValue payload(RunSchedule schedule) {
    return (ObjectValue) Json.read(schedule.request().json());
  }

  private static ObjectValue request(Optional<String> thread, ObjectValue body) {
    var request = body.minus(THREAD);
    for (var member : TIMING) {
      request = request.minus(member);
    }
    return thread.isPresent() ? request.plus(THREAD, Value.of(thread.get())) : request;
  }

  private static StartRequest stored(ObjectValue request) {
    return new StartRequest(NAME, Json.write(request));
  }

  /// Reads the call as it is read when a run starts.
  private String graph(ObjectValue request) {
    return requests.read(call(request)).graph();
  }

  private static RunTiming timing(String schedule, String zone) {
    return new RunTiming(
        RunSchedules.times(schedule, zone), Duration.ZERO, Overlap.ALLOW, CatchUp.LAST);
  }

  /// Clients in Python leave out the offset of times that have none.
  private static Optional<Instant> endTime(RequestFields fields) {
    return fields
        .text(END_TIME)
        .map(it -> {
          try {
            var time =
                DateTimeFormatter.ISO_DATE_TIME.parseBest(
                    it, OffsetDateTime::from, LocalDateTime::from);
            return time instanceof LocalDateTime local
                ? local.toInstant(ZoneOffset.UTC)
                : Instant.from(time);
          } catch (DateTimeException e) {
            var refused = fields.refused(END_TIME, "must be a time such as 2026-01-31T12:00:00Z");
            refused.initCause(e);
            throw refused;
          }
        });
  }
}
