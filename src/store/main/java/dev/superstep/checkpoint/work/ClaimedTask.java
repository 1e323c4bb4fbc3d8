package dev.superstep.checkpoint.work;

import dev.superstep.checkpoint.StoredObject;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ObjectValue;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;

/// A task that a worker has, for as long as its lease lasts.
///
/// @param attempt of the node, from 1
/// @param payload `input`, and `resume` behind a question
public record ClaimedTask(
    String id,
    UUID token,
    String type,
    TaskOrigin origin,
    TaskAttempt attempt,
    ObjectValue payload,
    WorkLease lease) {

  public record TaskOrigin(String run, String graph, TaskKey task) {}

  /// @param repeated whether the task was claimed before under this key, so that steps of it may be
  ///   recorded
  public record TaskAttempt(int number, String idempotencyKey, boolean repeated) {}

  /// @param heartbeat for how long each heartbeat prolongs it
  /// @param deadline by when it must have ended
  public record WorkLease(Instant until, Duration heartbeat, Optional<Instant> deadline) {}

  static ClaimedTask of(ResultSet row, int number) throws SQLException {
    var deadline = row.getObject("end_until", OffsetDateTime.class);
    return new ClaimedTask(
        row.getString("id"),
        row.getObject("token", UUID.class),
        row.getString("type"),
        new TaskOrigin(row.getString("run"), row.getString("graph"), key(row)),
        new TaskAttempt(
            row.getInt("attempt"),
            row.getString("idempotency_key"),
            row.getInt("claims") > 1 || row.getInt("number") > 1 || row.getBoolean("stepped")),
        (ObjectValue) StoredObject.value(row.getBytes("payload")),
        new WorkLease(
            row.getObject("lease_until", OffsetDateTime.class).toInstant(),
            Duration.ofMillis(row.getLong("heartbeat_ms")),
            Optional.ofNullable(deadline).map(OffsetDateTime::toInstant)));
  }

  static TaskKey key(ResultSet row) throws SQLException {
    return new TaskKey(
        row.getInt("superstep"), new NodeId(row.getString("node")), row.getString("dispatch_id"));
  }
}
