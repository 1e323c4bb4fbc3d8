package dev.superstep.database;

import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.dao.support.DataAccessUtils;
import org.springframework.dao.support.PersistenceExceptionTranslator;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.orm.jpa.vendor.HibernateJpaDialect;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// Reads and writes entities on the connection of the current transaction of one pool. JPA's own
/// entity manager is on the primary pool, for API calls; drivers and schedulers have pools of their
/// own ([Pools]). Statements of a `JdbcClient` of the same pool are part of the same transaction.
///
/// Nothing is cached or deferred: each call is a statement, and an entity is not watched for
/// changes.
@Component
@Qualifier(Pools.ENGINE)
public final class PoolEntities {
  private static final PersistenceExceptionTranslator TRANSLATOR = new HibernateJpaDialect();

  private final SessionFactory sessions;
  private final DataSource pool;

  /// @param pool of the transactions that this takes part in
  public PoolEntities(EntityManagerFactory entities, @Qualifier(Pools.ENGINE) DataSource pool) {
    this.sessions = entities.unwrap(SessionFactory.class);
    this.pool = pool;
  }

  /// Inserts one row per entity, in batches where the types follow each other.
  public void insert(Collection<?> entities) {
    if (!entities.isEmpty()) {
      run(session -> {
        session.insertMultiple(List.copyOf(entities));
        return entities.size();
      });
    }
  }

  /// Inserts a row.
  public void insert(Object entity) {
    run(session -> session.insert(entity));
  }

  /// Runs queries and statements in the current transaction.
  ///
  /// @throws IllegalStateException without a transaction of this pool
  public <T> T run(Function<StatelessSession, T> work) {
    if (!TransactionSynchronizationManager.hasResource(pool)) {
      throw new IllegalStateException("there is no transaction of this pool");
    }
    var connection = DataSourceUtils.getConnection(pool);
    try (var session =
        sessions.withStatelessOptions().connection(connection).openStatelessSession()) {
      return translated(() -> work.apply(session));
    } finally {
      DataSourceUtils.releaseConnection(connection, pool);
    }
  }

  /// Does `work` with entities of any session. What fails is thrown as a `JdbcClient` throws it, so
  /// that callers tell an outage in one way.
  public static <T> T translated(Supplier<T> work) {
    try {
      return work.get();
    } catch (PersistenceException e) {
      throw DataAccessUtils.translateIfNecessary(e, TRANSLATOR);
    }
  }
}
