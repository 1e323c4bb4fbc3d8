package dev.superstep.run.drive;

import dev.superstep.database.Pools;
import jakarta.persistence.EntityManager;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Stores notes of API calls for the replicas that drive the runs concerned: an answer or a cancel
/// has arrived. The content is in the run's own tables; losing a note costs only time.
@Component
public class SignalInbox {
  private final EntityManager entities;
  private final JdbcClient jdbc;

  SignalInbox(EntityManager entities, @Qualifier(Pools.SCHEDULER) JdbcClient jdbc) {
    this.entities = entities;
    this.jdbc = jdbc;
  }

  /// Stores a note in the current transaction, which holds the lock of the run: it becomes visible
  /// together with its content.
  void store(String replica, String run) {
    entities
        .createQuery(
            """
            insert into SignalNoteEntity (key.replica, key.run) values (:replica, :run)
            on conflict do nothing
            """)
        .setParameter("replica", replica)
        .setParameter("run", run)
        .executeUpdate();
  }

  /// Takes all notes for `replica`.
  ///
  /// @return the runs they are about
  List<String> drain(String replica) {
    return jdbc.sql("delete from news where replica = ? returning run")
        .param(replica)
        .query((row, _) -> row.getString(1))
        .list();
  }

  /// Removes notes for replicas that are gone: a claim reads everything anyway.
  public void sweep() {
    jdbc.sql("delete from news where replica not in (select name from replica)").update();
  }
}
