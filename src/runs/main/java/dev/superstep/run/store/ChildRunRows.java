package dev.superstep.run.store;

import java.util.Optional;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/// Reads links to child runs, and records what their parents know of them.
interface ChildRunRows extends Repository<ChildRunEntity, String> {
  Optional<ChildRunEntity> findById(String child);

  @Modifying
  @Query(
      """
      update ChildRunEntity link set link.toldSeq = :event, link.settled = :settled
       where link.child = :child
      """)
  void recordNotified(String child, long event, boolean settled);

  @Modifying
  @Query("update ChildRunEntity link set link.settled = false where link.child = :child")
  void recordProceeding(String child);

  @Modifying
  @Query("update ChildRunEntity link set link.givenUp = true where link.child = :child")
  void giveUp(String child);
}
