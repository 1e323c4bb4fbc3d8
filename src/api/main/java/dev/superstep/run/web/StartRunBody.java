package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.graph.Breakpoints;
import dev.superstep.problem.ErrorCode;
import dev.superstep.run.StartRun;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The request to start a run. A class and not a record, which could not have so many components.
@Schema(name = "StartRun", description = "A new run of a stored graph")
@JsonAutoDetect(fieldVisibility = Visibility.ANY)
final class StartRunBody {
  // what the database can hold
  private static final Instant START_MIN = Instant.parse("1970-01-01T00:00:00Z");
  private static final Instant START_MAX = Instant.parse("9999-12-31T23:59:59Z");

  private static final int PRIORITY_MAX = 1_000;

  @Schema(requiredMode = RequiredMode.REQUIRED, example = "research-team")
  private @Nullable String graph;

  @Schema(description = "Absent: the newest")
  private @Nullable Integer version;

  @Schema(
      requiredMode = RequiredMode.REQUIRED,
      example = "{\"topics\": [\"cats\", \"dogs\", \"birds\"]}")
  private @Nullable ObjectValue input;

  @JsonProperty("thread_id")
  @Schema(
      description =
          "The conversation this run goes on with: state and prompt context of its newest"
              + " committed checkpoint, however the run ended, are what the input is folded into")
  private @Nullable String threadId;

  @JsonProperty("if_busy")
  @Schema(
      description =
          "If a run of the thread is active: `reject` answers 409 `thread_busy`; `enqueue` starts"
              + " this run when the thread is free, in order of posting; `interrupt` ends the"
              + " active run where it is committed and goes on from there; `rollback` ends it and"
              + " goes on from where it began",
      allowableValues = {"reject", "enqueue", "interrupt", "rollback"},
      defaultValue = "reject")
  private @Nullable String ifBusy;

  @Schema(
      description =
          "The checkpoint of the thread with whose state and prompt context the run begins;"
              + " absent: the newest. What came behind it stays in the thread's history, beside"
              + " what this run adds")
  private @Nullable CheckpointRefBody from;

  @Schema(example = "{\"customer\": \"c-17\"}")
  private @Nullable Map<String, String> metadata;

  @Schema(
      description =
          "Values of the graph's params, over those that the operator has set; the run keeps them."
              + " Never secrets: they are shown with the run",
      example = "{\"language\": \"fr\"}")
  private @Nullable ObjectValue params;

  private @Nullable RunContextBody context;
  private @Nullable LimitsBody limits;

  @JsonProperty("interrupt_before")
  @Schema(description = "Nodes before which the run stops; `*` for all", example = "[\"publish\"]")
  private @Nullable List<String> interruptBefore;

  @JsonProperty("interrupt_after")
  @Schema(description = "Nodes after which the run stops; `*` for all")
  private @Nullable List<String> interruptAfter;

  @Schema(
      description = "Higher is claimed first",
      defaultValue = "0",
      minimum = "-1000",
      maximum = "1000")
  private @Nullable Integer priority;

  @Schema(
      description =
          "Deprecated, and without effect: each superstep is on disk before the next one starts, as"
              + " with `sync`",
      allowableValues = {"sync", "async", "exit"},
      defaultValue = "sync")
  private @Nullable String durability;

  @JsonProperty("start_at")
  @Schema(description = "Absent: at once")
  private @Nullable Instant startAt;

  @Schema(description = "Absent: one is made")
  private @Nullable String id;

  public StartRun read() {
    var bodyChecks = new BodyChecks();
    var start =
        new StartRun(
            bodyChecks.required("/graph", graph, ""),
            Optional.ofNullable(version),
            bodyChecks.required("/input", input, ObjectValue.empty()),
            Optional.ofNullable(context).map(RunContextBody::read),
            Optional.ofNullable(id),
            Optional.ofNullable(threadId),
            Objects.requireNonNullElse(metadata, Map.of()),
            options(bodyChecks)
                .params(Objects.requireNonNullElse(params, ObjectValue.empty()))
                .ifBusy(bodyChecks.ifBusy(ifBusy, threadId))
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
}
