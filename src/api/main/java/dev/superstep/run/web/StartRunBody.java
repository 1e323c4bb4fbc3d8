package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.graph.Breakpoints;
import dev.superstep.problem.ErrorCode;
import dev.superstep.run.StartRun;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Reach;
import dev.superstep.tenant.Tenant;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The request to start a run. A class and not a record, which could not have so many components.
@JsonAutoDetect(fieldVisibility = Visibility.ANY)
final class StartRunBody {
  // what the database can hold
  private static final Instant START_MIN = Instant.parse("1970-01-01T00:00:00Z");
  private static final Instant START_MAX = Instant.parse("9999-12-31T23:59:59Z");

  private static final int PRIORITY_MAX = 1_000;

  private @Nullable String graph;

  private @Nullable Integer version;

  private @Nullable ObjectValue input;

  @JsonProperty("thread_id")
  private @Nullable String threadId;

  @JsonProperty("if_busy")
  private @Nullable String ifBusy;

  private @Nullable CheckpointRefBody from;

  private @Nullable Map<String, String> metadata;

  private @Nullable ObjectValue params;

  private @Nullable RunContextBody context;
  private @Nullable LimitsBody limits;

  @JsonProperty("interrupt_before")
  private @Nullable List<String> interruptBefore;

  @JsonProperty("interrupt_after")
  private @Nullable List<String> interruptAfter;

  private @Nullable Integer priority;

  private @Nullable String durability;

  @JsonProperty("start_at")
  private @Nullable Instant startAt;

  private @Nullable String id;

  private @Nullable List<WebhookTargetBody> webhooks;

  @JsonProperty("callback_meta")
  private @Nullable ObjectValue callbackMeta;

  /// Whether it says which run this is, or when it begins.
  public boolean namesOneRun() {
    return id != null || startAt != null;
  }

  public StartRun read() {
    var bodyChecks = new BodyChecks();
    var start =
        new StartRun(
            Reach.graph(bodyChecks.required("/graph", graph, "")),
            Optional.ofNullable(version),
            bodyChecks.required("/input", input, ObjectValue.empty()),
            Optional.ofNullable(context).map(RunContextBody::read),
            Optional.ofNullable(id).map(Tenant.current()::own),
            Optional.ofNullable(threadId).map(Tenant.current()::own),
            Objects.requireNonNullElse(metadata, Map.of()),
            options(bodyChecks)
                .params(Objects.requireNonNullElse(params, ObjectValue.empty()))
                .ifBusy(bodyChecks.ifBusy(ifBusy, threadId))
                .webhooks(WebhookTargetBody.read(webhooks, callbackMeta, bodyChecks))
                .from(CheckpointRefBody.read(from, threadId, bodyChecks)));
    bodyChecks.throwIfAny();
    return start;
  }

  private StartRun.Options options(BodyChecks bodyChecks) {
    if (startAt != null && (startAt.isBefore(START_MIN) || startAt.isAfter(START_MAX))) {
      bodyChecks.refuse("/start_at", ErrorCode.INVALID_VALUE, "must be from 1970 to 9999");
    }
    if (priority != null && Math.abs((long) priority) > PRIORITY_MAX) {
      bodyChecks.refuse(
          "/priority", ErrorCode.INVALID_VALUE, "must be from -%d to %1$d".formatted(PRIORITY_MAX));
    }
    if (durability != null && !StartRun.DURABILITIES.contains(durability)) {
      bodyChecks.refuse("/durability", ErrorCode.INVALID_VALUE, "must be sync, async or exit");
    }
    return new StartRun.Options(
        LimitsBody.read(limits, bodyChecks),
        new Breakpoints(nodes(interruptBefore), nodes(interruptAfter)),
        Objects.requireNonNullElse(priority, 0),
        Optional.ofNullable(startAt));
  }

  private static Set<String> nodes(@Nullable List<String> nodes) {
    return nodes == null ? Set.of() : Set.copyOf(nodes);
  }

  /// The prompt context in the request to start a run.
  record RunContextBody(
      @Nullable String template, @Nullable ObjectValue variables, @Nullable ObjectValue metadata) {

    ObjectValue read() {
      var context = ObjectValue.empty();
      if (template != null) {
        context = context.plus("template", Value.of(template));
      }
      if (variables != null) {
        context = context.plus("variables", variables);
      }
      return metadata == null ? context : context.plus("metadata", metadata);
    }
  }
}
