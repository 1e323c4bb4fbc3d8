package dev.superstep.idempotency;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.NullUnmarked;

/// A key and what the call that brought it did. Written once.
@Entity
@Table(name = "idempotency_key")
class IdempotencyEntity {
  @Id private String scope;
  private String requestHash;
  private short statusCode;
  private String resource;

  @SuppressWarnings("UnusedVariable") // queries read it
  private Instant expiresAt;

  @NullUnmarked
  protected IdempotencyEntity() {}

  IdempotencyEntity(String scope, String requestHash, Done done, Instant expiresAt) {
    this.scope = scope;
    this.requestHash = requestHash;
    this.statusCode = (short) done.status();
    this.resource = done.resource();
    this.expiresAt = expiresAt;
  }

  String requestHash() {
    return requestHash;
  }

  Done done() {
    return new Done(statusCode, resource);
  }
}
