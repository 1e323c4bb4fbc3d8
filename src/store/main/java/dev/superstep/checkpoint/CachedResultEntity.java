package dev.superstep.checkpoint;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.NullUnmarked;

/// A result that is kept for other tasks. It is the list of columns: statements write and read
/// them.
@Entity
@NullUnmarked
@Table(name = "cached_result")
class CachedResultEntity {
  @Id String key;
  String run;
  String message;
  byte[] content;
  Instant expiresAt;
}
