package dev.superstep.run.web;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.superstep.checkpoint.work.ClaimedTask;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A task with its lease, in answers to workers.
@Schema(name = "ClaimedTask")
@JsonAutoDetect(fieldVisibility = Visibility.ANY)
final class ClaimedTaskBody {
  final String id;

  final String token;

  final String type;

  @JsonProperty("run_id")
  final String runId;

  final String graph;

  final String node;

  final int superstep;

  @JsonProperty("dispatch_id")
  final @Nullable String dispatchId;

  final int attempt;

  @JsonProperty("idempotency_key")
  final String idempotencyKey;

  final boolean repeated;

  final Value input;

  final @Nullable ObjectValue resume;

  @JsonProperty("heartbeat_ms")
  final long heartbeatMs;

  @JsonProperty("lease_until")
  final Instant leaseUntil;

  final @Nullable Instant deadline;

  ClaimedTaskBody(ClaimedTask task) {
    var origin = task.origin();
    id = Tenant.shown(task.id());
    token = task.token().toString();
    type = task.type();
    runId = Tenant.shown(origin.run());
    graph = Tenant.shown(origin.graph());
    node = origin.task().node().value();
    superstep = origin.task().superstep();
    dispatchId = origin.task().dispatchId();
    attempt = task.attempt().number();
    idempotencyKey = task.attempt().idempotencyKey();
    repeated = task.attempt().repeated();
    input = task.payload().getOr("input", Value.NULL);
    resume = task.payload().get("resume") instanceof ObjectValue answer ? answer : null;
    heartbeatMs = task.lease().heartbeat().toMillis();
    leaseUntil = task.lease().until();
    deadline = task.lease().deadline().orElse(null);
  }
}
