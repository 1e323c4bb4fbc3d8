package dev.superstep.idempotency;

import dev.superstep.database.Pools;
import jakarta.persistence.EntityManager;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.stereotype.Repository;

/// Reads and writes stored keys. Every method needs the caller's transaction.
@Repository
class IdempotencyRows {
  private static final int DELETED_MAX = 100;
  private final EntityManager entities;

  IdempotencyRows(EntityManager entities) {
    this.entities = entities;
  }

  /// Locks this scope until the transaction ends; false: another transaction has locked it.
  boolean tryLock(String scope) {
    return (Boolean)
        entities
            .createNativeQuery(
                "select pg_try_advisory_xact_lock(:key # " + Pools.SCHEMA_KEY + ")", Boolean.class)
            .setParameter("key", Long.parseUnsignedLong(scope.substring(0, 16), 16))
            .getSingleResult();
  }

  /// A key that has not expired. A separate statement: its snapshot is taken after the lock.
  Optional<IdempotencyEntity> find(String scope) {
    Stream<?> found =
        entities
            .createNativeQuery(
                "select * from idempotency_key where scope = :scope and expires_at > now()",
                IdempotencyEntity.class)
            .setParameter("scope", scope)
            .getResultStream();
    return found.findFirst().map(IdempotencyEntity.class::cast);
  }

  /// Stores the answer for 24 hours, and removes some keys that have expired.
  void store(String scope, String requestHash, StoredAnswer storedAnswer) {
    entities
        .createNativeQuery(
            """
            delete from idempotency_key where scope in (
              select scope from idempotency_key
               where expires_at <= now() and scope <> :scope
               order by expires_at limit :most for update skip locked)
            """)
        .setParameter("scope", scope)
        .setParameter("most", DELETED_MAX)
        .executeUpdate();
    entities
        .createQuery(
            """
            insert into IdempotencyEntity (scope, requestHash, statusCode, resource, expiresAt)
            values (:scope, :hash, :status, :resource, instant + 24 hour)
            on conflict (scope) do update
               set requestHash = excluded.requestHash, statusCode = excluded.statusCode,
                   resource = excluded.resource, expiresAt = excluded.expiresAt
            """)
        .setParameter("scope", scope)
        .setParameter("hash", requestHash)
        .setParameter("status", (short) storedAnswer.status())
        .setParameter("resource", storedAnswer.resource())
        .executeUpdate();
  }
}
