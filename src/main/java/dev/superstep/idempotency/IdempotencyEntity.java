package dev.superstep.idempotency;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.hibernate.annotations.Immutable;
import org.jspecify.annotations.NullUnmarked;

/// A row of `idempotency_key`: a key and the answer of its call, as far as they are read again.
@Entity
@Immutable
@Table(name = "idempotency_key")
class IdempotencyEntity {
  @SuppressWarnings("UnusedVariable") // queries read it
  @Id
  private String scope;

  private String requestHash;
  private short statusCode;
  private String resource;

  @NullUnmarked
  protected IdempotencyEntity() {}

  String requestHash() {
    return requestHash;
  }

  StoredAnswer done() {
    return new StoredAnswer(statusCode, resource);
  }
}
