package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.graph.Breakpoints;
import dev.superstep.json.Pointer;
import dev.superstep.problem.ErrorCode;
import dev.superstep.run.StartRun;
import dev.superstep.state.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

@Schema(name = "StartRun", description = "A new run of a stored graph")
@JsonAutoDetect(fieldVisibility = Visibility.ANY)
final class StartRunBody {
  private static final int METADATA_MAX = 64;
  private static final int METADATA_TEXT_MAX = 1_000;
  private static final int BREAKPOINTS_MAX = 1_000;
  private static final Instant START_MIN = Instant.parse("1970-01-01T00:00:00Z");
  private static final Instant START_MAX = Instant.parse("9999-12-31T23:59:59Z");

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
          "The conversation this run goes on with: its last succeeded run's state and"
              + " prompt context are what the input is folded into")
  private @Nullable String threadId;

  @Schema(example = "{\"customer\": \"c-17\"}")
  private @Nullable Map<String, String> metadata;

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
      allowableValues = {"sync", "async", "exit"},
      defaultValue = "sync")
  private @Nullable String durability;

  @JsonProperty("start_at")
  @Schema(description = "Absent: at once")
  private @Nullable Instant startAt;

  @Schema(description = "Absent: one is made")
  private @Nullable String id;

  StartRun read() {
    var checks = new Checks();
    var start =
        new StartRun(
            checks.required("/graph", graph, ""),
            checks.atLeast(1, "/version", version),
            checks.required("/input", input, ObjectValue.empty()),
            Optional.ofNullable(context).map(RunContextBody::read),
            checks.id("/id", id),
            checks.id("/thread_id", threadId),
            metadata(checks),
            options(checks));
    checks.throwIfAny();
    return start;
  }

  private StartRun.Options options(Checks checks) {
    int wanted = Objects.requireNonNullElse(priority, 0);
    checks.refuseIf(Math.abs(wanted) > 1_000, "/priority", "must be from -1000 to 1000");
    var kept = Objects.requireNonNullElse(durability, "sync");
    checks.refuseIf(
        !Set.of("sync", "async", "exit").contains(kept),
        "/durability",
        "must be one of sync, async, exit");
    checks.refuseIf(
        startAt != null && (startAt.isBefore(START_MIN) || startAt.isAfter(START_MAX)),
        "/start_at",
        "must be from 1970 to 9999");
    return new StartRun.Options(
        LimitsBody.read(limits, checks),
        new Breakpoints(
            nodes("/interrupt_before", interruptBefore, checks),
            nodes("/interrupt_after", interruptAfter, checks)),
        wanted,
        kept,
        Optional.ofNullable(startAt));
  }

  private static Set<String> nodes(String pointer, @Nullable List<String> nodes, Checks checks) {
    if (nodes == null) {
      return Set.of();
    }
    checks.refuseIf(
        nodes.size() > BREAKPOINTS_MAX, pointer, "must have at most " + BREAKPOINTS_MAX + " items");
    return Set.copyOf(nodes);
  }

  private Map<String, String> metadata(Checks checks) {
    if (metadata == null) {
      return Map.of();
    }
    if (metadata.size() > METADATA_MAX) {
      checks.refuse("/metadata", ErrorCode.INVALID_VALUE, "must have at most 64 members");
    }
    metadata.forEach((key, value) ->
        checks.refuseIf(
            key.isEmpty() || key.length() + value.length() > METADATA_TEXT_MAX,
            Pointer.child("/metadata", key),
            "key and value must have 1 to 1000 characters together"));
    return metadata;
  }
}
