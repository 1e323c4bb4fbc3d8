package dev.superstep.checkpoint.work;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;

/// A task that a worker executes. It is the list of columns: statements write and read them.
@Entity
@NullUnmarked
@Table(name = "task")
class WorkerTaskEntity {
  @Id String id;
  String run;
  String graph;
  int superstep;
  String node;
  String dispatchId;
  int number;
  int wakesBelow;
  String type;
  int attempt;
  String idempotencyKey;
  byte[] payload;
  Long startMs;
  Long endMs;
  long heartbeatMs;
  String state;
  Instant queuedAt;
  Instant startUntil;
  int claims;
  UUID token;
  String worker;
  Instant claimedAt;
  Instant leaseUntil;
  Instant endUntil;
  byte[] progress;
  byte[] outcome;
  Integer answer;
  Instant endedAt;
  boolean heard;
  int lost;
}
