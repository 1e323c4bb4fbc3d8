package dev.superstep.run.store;

import jakarta.persistence.LockModeType;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/// Inserts, locks and deletes rows of threads.
interface ThreadRows extends Repository<ThreadEntity, String> {

  /// @return how many were inserted: 0 if there is such a thread
  @Modifying
  @Query(
      "insert into ThreadEntity (id, runs, createdAt, owner) values (:id, 0L, instant, :owner) on"
          + " conflict do nothing")
  int ensure(String id, @Nullable String owner);

  long countById(String id);

  Optional<ThreadEntity> findById(String id);

  @Lock(LockModeType.PESSIMISTIC_WRITE)
  @Query("select thread from ThreadEntity thread where thread.id = :id")
  Optional<ThreadEntity> findLocked(String id);

  @Modifying
  @Query("delete from ThreadEntity thread where thread.id = :id")
  void delete(String id);

  @Modifying
  @Query(
      """
      delete from ThreadEntity thread
       where thread.id = :id and not thread.kept
         and not exists (select run from RunEntity run where run.origin.threadId = :id)
      """)
  void deleteIfEmpty(String id);

  /// The thread of the run, if it is in one, locked until the transaction ends.
  @Lock(LockModeType.PESSIMISTIC_WRITE)
  @Query(
      """
      select thread from ThreadEntity thread
       where thread.id = (select run.origin.threadId from RunEntity run where run.id = :run)
      """)
  Optional<ThreadEntity> lockOf(String run);
}
