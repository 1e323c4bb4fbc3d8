package dev.superstep.langgraph.run;

import dev.superstep.http.openapi.Fails;
import dev.superstep.langgraph.AssistantIds;
import dev.superstep.langgraph.LangGraphController;
import dev.superstep.langgraph.RequestFields;
import dev.superstep.langgraph.RequestedMembers;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.ThreadQueries;
import dev.superstep.run.trigger.RunSchedule;
import dev.superstep.run.trigger.RunSchedules;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;

/// Serves the calls that make, find, change and delete crons, which are schedules.
@Tag(name = "Crons", description = "Runs that start by themselves")
@LangGraphController
@Fails({
  ErrorCode.SCHEDULE_NOT_FOUND,
  ErrorCode.ASSISTANT_NOT_FOUND,
  ErrorCode.GRAPH_NOT_FOUND,
  ErrorCode.THREAD_NOT_FOUND,
  ErrorCode.LIMIT_EXCEEDED,
  ErrorCode.STORED_BY_NEWER_RELEASE
})
class CronController {
  private static final int LIMIT_DEFAULT = 10;
  private static final int LIMIT_MAX = 1_000;
  private static final int OFFSET_MAX = 1_000_000;
  private static final List<String> ORDERS =
      List.of(
          "cron_id",
          "assistant_id",
          "thread_id",
          "created_at",
          "updated_at",
          "next_run_date",
          "end_time");

  private final RunSchedules schedules;
  private final CronRequests requests;
  private final ThreadQueries threads;

  CronController(RunSchedules schedules, CronRequests requests, ThreadQueries threads) {
    this.schedules = schedules;
    this.requests = requests;
    this.threads = threads;
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "langGraphCreateCron")
  @PostMapping(path = "/runs/crons", produces = MediaType.APPLICATION_JSON_VALUE)
  ObjectValue create(@RequestBody ObjectValue body) {
    return text(schedules.get(schedules.create(requests.read(Optional.empty(), body))));
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "langGraphCreateThreadCron")
  @PostMapping(
      path = "/threads/{thread_id}/runs/crons",
      produces = MediaType.APPLICATION_JSON_VALUE)
  ObjectValue createInThread(
      @PathVariable("thread_id") String thread, @RequestBody ObjectValue body) {
    var _ = threads.metadata(thread);
    return text(schedules.get(schedules.create(requests.read(Optional.of(thread), body))));
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "langGraphUpdateCron")
  @PatchMapping(path = "/runs/crons/{cron_id}", produces = MediaType.APPLICATION_JSON_VALUE)
  ObjectValue update(@PathVariable("cron_id") String cron, @RequestBody ObjectValue body) {
    var id = find(cron).id();
    schedules.update(id, it -> requests.changed(it, body));
    return text(schedules.get(id));
  }

  @Requires(ApiScope.RUN)
  @Operation(operationId = "langGraphDeleteCron")
  @DeleteMapping(path = "/runs/crons/{cron_id}", produces = MediaType.ALL_VALUE)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable("cron_id") String cron) {
    schedules.delete(find(cron).id());
  }

  private RunSchedule find(String cron) {
    var found = schedules.get(Tenant.current().own(cron));
    if (!isCron(found)) {
      throw new ServiceException(
          ErrorCode.SCHEDULE_NOT_FOUND, "schedule '%s' is no cron".formatted(cron));
    }
    return found;
  }

  private static boolean isCron(RunSchedule schedule) {
    return schedule.request().form().equals(CronRequests.NAME);
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphSearchCrons")
  @PostMapping(path = "/runs/crons/search", produces = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<List<ObjectValue>> search(
      @RequestBody(required = false) @Nullable ObjectValue body) {
    var fields = RequestFields.of(body);
    var found = found(fields);
    int limit = fields.integer("limit", 1, LIMIT_MAX).orElse((long) LIMIT_DEFAULT).intValue();
    int offset = fields.integer("offset", 0, OFFSET_MAX).orElse(0L).intValue();
    var select = Set.copyOf(fields.texts("select"));
    var page =
        found.stream()
            .sorted(order(fields))
            .skip(offset)
            .limit(limit)
            .map(it -> RequestedMembers.of(it, select))
            .toList();
    var answer = ResponseEntity.ok().header("X-Pagination-Total", Integer.toString(found.size()));
    if (found.size() > offset + limit) {
      answer.header("X-Pagination-Next", Integer.toString(offset + limit));
    }
    return answer.body(page);
  }

  @Requires(ApiScope.READ)
  @Operation(operationId = "langGraphCountCrons")
  @PostMapping(path = "/runs/crons/count", produces = MediaType.APPLICATION_JSON_VALUE)
  long count(@RequestBody(required = false) @Nullable ObjectValue body) {
    return found(RequestFields.of(body)).size();
  }

  private List<ObjectValue> found(RequestFields fields) {
    var assistant = fields.text("assistant_id");
    var thread = fields.text("thread_id");
    var enabled = fields.flag("enabled");
    return schedules.all(CronRequests.NAME).stream()
        .filter(it -> assistant.filter(wanted -> !isOf(it, wanted)).isEmpty())
        .filter(it -> enabled.filter(wanted -> wanted == it.paused()).isEmpty())
        .map(CronController::text)
        .filter(
            it -> thread.filter(wanted -> !wanted.equals(it.textOrEmpty("thread_id"))).isEmpty())
        .toList();
  }

  /// Clients name an assistant by its id, or by its graph.
  private static boolean isOf(RunSchedule cron, String assistant) {
    return CronRequests.payload(cron).textOrEmpty("assistant_id").equals(assistant)
        || Tenant.shown(cron.graph()).equals(assistant)
        || Tenant.shown(AssistantIds.ofGraph(cron.graph())).equals(assistant);
  }

  private static Comparator<ObjectValue> order(RequestFields fields) {
    var by = fields.oneOf("sort_by", ORDERS).orElse("created_at");
    var order = Comparator.comparing((ObjectValue it) -> it.textOrEmpty(by));
    boolean ascends =
        fields.oneOf("sort_order", List.of("asc", "desc")).filter("asc"::equals).isPresent();
    return ascends ? order : order.reversed();
  }

  private static ObjectValue text(RunSchedule cron) {
    var payload = CronRequests.payload(cron);
    var times = cron.timing().times();
    var assistant = payload.textOrEmpty("assistant_id");
    return ObjectValue.builder()
        .put("cron_id", Value.of(Tenant.shown(cron.id())))
        .put(
            "assistant_id",
            Value.of(
                RequestFields.isUuid(assistant)
                    ? assistant
                    : Tenant.shown(AssistantIds.ofGraph(cron.graph()))))
        .put("thread_id", orNull(payload.get("thread_id")))
        .put("on_run_completed", orNull(payload.get(CronRequests.ON_RUN_COMPLETED)))
        .put("end_time", time(cron.endsAt()))
        .put("schedule", Value.of(times.text()))
        .put("timezone", Value.of(times.zone().getId()))
        .put("created_at", Value.of(cron.written().createdAt().toString()))
        .put("updated_at", Value.of(cron.written().changedAt().toString()))
        .put("user_id", cron.caller().id().isEmpty() ? Value.NULL : Value.of(cron.caller().id()))
        .put("payload", payload.minus("thread_id"))
        .put("next_run_date", time(cron.nextAt()))
        .put("metadata", payload.objectOrEmpty("metadata"))
        .put("enabled", Value.of(!cron.paused()))
        .build();
  }

  private static Value orNull(@Nullable Value value) {
    return value == null ? Value.NULL : value;
  }

  private static Value time(Optional<Instant> at) {
    return at.<Value>map(it -> Value.of(it.toString())).orElse(Value.NULL);
  }
}
