package dev.superstep.idempotency;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.NullUnmarked;

/// A key and the answer of its call. What is not private is read by queries only.
@Entity
@Immutable
@Table(name = "idempotency_key")
class IdempotencyEntity {
  @Id String scope;
  private String requestHash;
  private short statusCode;
  private String resource;
  Instant expiresAt;

  @NullUnmarked
  protected IdempotencyEntity() {}

  String requestHash() {
    return requestHash;
  }

  StoredAnswer done() {
    return new StoredAnswer(statusCode, resource);
  }
}
