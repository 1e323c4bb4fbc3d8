package dev.superstep.definition.store;

import jakarta.persistence.LockModeType;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/// Reads and locks the rows of graph names.
interface GraphRows extends Repository<GraphEntity, String> {

  Optional<GraphEntity> findByName(String name);

  @Lock(LockModeType.PESSIMISTIC_WRITE)
  @Query("from GraphEntity where name = :name")
  Optional<GraphEntity> lock(String name);

  /// Makes sure that there is a row to lock; waits for concurrent inserts of it.
  @Modifying
  @Query(
      """
      insert into GraphEntity (name, newest, hiddenThrough, updatedAt)
      values (:name, 0, 0, instant) on conflict do nothing
      """)
  int reserve(String name);

  @Query(value = "select clock_timestamp()", nativeQuery = true)
  Instant now();

  @Query(
      value =
          """
          select * from graph
          where newest > hidden_through
            and (:tenant = '' or tenant_of(name) = :tenant)
            and (:reached = '' or name ~ :reached)
          order by updated_at desc, name
          limit :limit
          """,
      nativeQuery = true)
  List<GraphEntity> first(String tenant, String reached, int limit);

  @Query(
      value =
          """
          select * from graph
          where newest > hidden_through
            and (:tenant = '' or tenant_of(name) = :tenant)
            and (:reached = '' or name ~ :reached)
            and (updated_at < :updatedAt or (updated_at = :updatedAt and name > :name))
          order by updated_at desc, name
          limit :limit
          """,
      nativeQuery = true)
  List<GraphEntity> after(String tenant, String reached, Instant updatedAt, String name, int limit);
}
