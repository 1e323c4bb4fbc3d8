package dev.superstep.memory;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;
import org.springframework.transaction.annotation.Transactional;

/// Reads and writes items by their keys.
interface ItemRows extends Repository<MemoryItemEntity, MemoryItemEntity.ItemKey> {

  @Modifying
  @Query(
      nativeQuery = true,
      value =
          """
          insert into memory_item as old
                 (namespace, key, value, created_at, updated_at, ttl_ms, expires_at,
                  caller)
          values (:namespace, :key, :value, statement_timestamp(), statement_timestamp(),
                  cast(:ttl as bigint),
                  statement_timestamp() + cast(:ttl as bigint) * interval '1 millisecond',
                  :caller)
              on conflict (namespace, key) do update
             set value = excluded.value, updated_at = excluded.updated_at,
                 ttl_ms = excluded.ttl_ms, expires_at = excluded.expires_at,
                 caller = excluded.caller,
                 created_at = case when old.expires_at <= excluded.created_at
                                   then excluded.created_at else old.created_at end
          """)
  void put(String namespace, String key, String value, @Nullable Long ttl, String caller);

  @Query(
      nativeQuery = true,
      value =
          """
          select * from memory_item
           where namespace = :namespace and key = :key
             and (expires_at is null or expires_at > statement_timestamp())
          """)
  Optional<MemoryItemEntity> find(String namespace, String key);

  /// The items live on from now.
  @Modifying
  @Query(
      nativeQuery = true,
      value =
          """
          update memory_item
             set expires_at = statement_timestamp() + ttl_ms * interval '1 millisecond'
           where (namespace, key) in (
                   select * from unnest(cast(:namespaces as text[]), cast(:keys as text[])))
             and ttl_ms is not null and expires_at > statement_timestamp()
          """)
  @Transactional
  void refresh(String[] namespaces, String[] keys);

  @Modifying
  @Query(
      nativeQuery = true,
      value = "delete from memory_item where namespace = :namespace and key = :key")
  void delete(String namespace, String key);

  /// @return how many were deleted; fewer than `limit`: all
  @Modifying
  @Query(
      nativeQuery = true,
      value =
          """
          delete from memory_item where (namespace, key) in (
            select namespace, key from memory_item
             where expires_at <= statement_timestamp()
             order by expires_at limit :limit for update skip locked)
          """)
  @Transactional
  int deleteExpired(int limit);
}
