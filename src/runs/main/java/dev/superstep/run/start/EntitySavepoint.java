package dev.superstep.run.start;

import jakarta.persistence.EntityManager;
import java.sql.Savepoint;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.hibernate.engine.spi.SessionImplementor;

/// A point in the current transaction to which it can go back, rows and entities alike. Locks that
/// were taken since are released then.
final class EntitySavepoint {
  private final SessionImplementor session;
  private final Savepoint savepoint;
  private final Set<Object> managed = Collections.newSetFromMap(new IdentityHashMap<>());

  private EntitySavepoint(SessionImplementor session) {
    this.session = session;
    session.flush();
    managed.addAll(entities());
    savepoint = session.doReturningWork(connection -> connection.setSavepoint());
  }

  static EntitySavepoint set(EntityManager entities) {
    return new EntitySavepoint(entities.unwrap(SessionImplementor.class));
  }

  private List<Object> entities() {
    return List.copyOf(session.getPersistenceContext().getEntitiesByKey().values());
  }

  /// Takes back what was written since. Entities that were read before are as they were then, of
  /// which those that nobody can change need no look; others are read anew by whoever needs them,
  /// since their locks are gone.
  void rollBack() {
    session.flush(); // what is not written yet must not be written later
    session.doWork(connection -> connection.rollback(savepoint));
    for (var entity : entities()) {
      if (!managed.contains(entity)) {
        session.detach(entity);
      } else if (!session.isReadOnly(entity)) {
        session.refresh(entity);
      }
    }
  }
}
