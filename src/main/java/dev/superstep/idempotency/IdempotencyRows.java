package dev.superstep.idempotency;

import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.springframework.stereotype.Repository;

/// The stored keys. Every method needs the caller's transaction.
@Repository
class IdempotencyRows {
  private static final Duration KEPT = Duration.ofHours(24);
  private static final int DELETED_MAX = 100;
  private final EntityManager entities;

  IdempotencyRows(EntityManager entities) {
    this.entities = entities;
  }

  /// Takes the right to act under this scope until the transaction ends; false: another has it.
  boolean tryLock(String scope) {
    return (Boolean)
        entities
            .createNativeQuery("select pg_try_advisory_xact_lock(:key)", Boolean.class)
            .setParameter("key", Long.parseUnsignedLong(scope.substring(0, 16), 16))
            .getSingleResult();
  }

  /// A key that has not expired.
  Optional<IdempotencyEntity> find(String scope) {
    return entities
        .createQuery(
            """
            select k from IdempotencyEntity k where k.scope = :scope and k.expiresAt > :now
            """,
            IdempotencyEntity.class)
        .setParameter("scope", scope)
        .setParameter("now", now())
        .getResultStream()
        .findFirst();
  }

  /// Stores what was done, and removes some keys that have expired, among them this one's own past.
  void keep(String scope, String requestHash, Done done) {
    var now = now();
    entities
        .createNativeQuery(
            """
            delete from idempotency_key where scope = :scope or scope in (
              select scope from idempotency_key where expires_at <= :now
              order by expires_at limit :most for update skip locked)
            """)
        .setParameter("scope", scope)
        .setParameter("now", now)
        .setParameter("most", DELETED_MAX)
        .executeUpdate();
    entities.persist(new IdempotencyEntity(scope, requestHash, done, now.plus(KEPT)));
  }

  private Instant now() {
    return (Instant) entities.createNativeQuery("select now()", Instant.class).getSingleResult();
  }
}
