package dev.superstep.checkpoint.row;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.checkpoint.ChildEnds;
import dev.superstep.checkpoint.ChildWrites;
import dev.superstep.checkpoint.CommitListener;
import dev.superstep.checkpoint.MessageMetrics;
import dev.superstep.checkpoint.StoreSettings;
import dev.superstep.checkpoint.step.TaskSteps;
import dev.superstep.checkpoint.work.CallbackWriter;
import dev.superstep.checkpoint.work.QueuedTasks;
import dev.superstep.checkpoint.work.WorkArrivals;
import dev.superstep.database.MigrationFolder;
import dev.superstep.database.PoolEntities;
import dev.superstep.engine.SampleRun;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.run.Lease;
import dev.superstep.schedule.Wake;
import dev.superstep.schedule.WakeUps;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.persistence.EntityManagerFactory;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.flywaydb.core.Flyway;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.cfg.AvailableSettings;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.unit.DataSize;

/// The store without Spring's container, on a database of its own.
final class StoreParts implements AutoCloseable {
  final HikariDataSource pool = new HikariDataSource();
  final JdbcClient jdbc;
  final TransactionTemplate transaction;
  final BatchStatement batches;
  private final EntityManagerFactory entities;
  private final CheckpointWriter writer;

  StoreParts(JdbcConnectionDetails database, int connections) {
    pool.setJdbcUrl(database.getJdbcUrl());
    pool.setUsername(database.getUsername());
    pool.setPassword(database.getPassword());
    pool.setMaximumPoolSize(connections);
    Flyway.configure().dataSource(pool).locations(MigrationFolder.LOCATION).load().migrate();
    jdbc = JdbcClient.create(pool);
    entities = entities();
    transaction = new TransactionTemplate(new JpaTransactionManager(entities));
    batches = new BatchStatement(pool, entities);
    writer =
        new CheckpointWriter(
            SharedEntityManagerCreator.createSharedEntityManager(entities),
            entities,
            jdbc,
            new SnapshotPolicy(jdbc));
  }

  private EntityManagerFactory entities() {
    var factory = new LocalContainerEntityManagerFactoryBean();
    factory.setDataSource(pool);
    factory.setPackagesToScan("dev.superstep.checkpoint");
    factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
    factory.setJpaPropertyMap(
        Map.of(
            AvailableSettings.PHYSICAL_NAMING_STRATEGY, new PhysicalNamingStrategySnakeCaseImpl()));
    factory.afterPropertiesSet();
    return Objects.requireNonNull(factory.getObject());
  }

  /// @param writers batches at a time
  CheckpointStore store(int writers) {
    var settings =
        new StoreSettings(
            Duration.ofSeconds(30), new StoreSettings.Batch(writers, 256, DataSize.ofMegabytes(4)));
    var transactions = new JdbcTransactionManager(pool);
    var snapshotPolicy = new SnapshotPolicy(jdbc);
    var engine = new PoolEntities(entities, pool);
    var outcomes = new OutcomeColumns(entities);
    var columns = new InterruptColumns(entities);
    var interrupts = new InterruptWrites(jdbc, columns);
    var queuedTasks = new QueuedTasks(jdbc, entities, new WorkArrivals());
    var noChildren = new StaticListableBeanFactory();
    var sync =
        new SyncStore(
            new GroupCommit(batches, settings, new SimpleMeterRegistry()),
            new TransactionalCommits(
                new CommitWriter(
                    engine,
                    jdbc,
                    entities,
                    columns,
                    interrupts,
                    new MessageMetrics(jdbc, new SimpleMeterRegistry())),
                new OutcomeWriter(engine, jdbc, outcomes),
                interrupts,
                noChildren.getBeanProvider(ChildWrites.class),
                new NoWakeUps(),
                new RestingCheckpoints(),
                queuedTasks,
                transactions),
            new GroupRecord(pool, outcomes, settings),
            new CommitRefusals(jdbc),
            new SignalReader(jdbc, queuedTasks),
            noChildren.getBeanProvider(ChildEnds.class),
            settings,
            snapshotPolicy);
    return new PostgresCheckpointStore(
        sync,
        noChildren.getBeanProvider(TaskSteps.class),
        noChildren.getBeanProvider(CallbackWriter.class),
        snapshotPolicy,
        CommitListener.NONE);
  }

  Lease start(SampleRun run) {
    transaction.executeWithoutResult(_ -> {
      jdbc.sql("insert into run (id, graph, version, status) values (?, 'sample', 3, 'queued')")
          .param(run.id())
          .update();
      writer.write(run.id(), run.first(), List.of());
      jdbc.sql("update run set lease_epoch = 1, owner = 'me', status = 'running' where id = ?")
          .param(run.id())
          .update();
    });
    return new Lease(run.id(), 1);
  }

  @Override
  public void close() {
    entities.close();
    pool.close();
  }

  private static final class NoWakeUps implements WakeUps {
    @Override
    public void schedule(Collection<Wake> wakes) {}

    @Override
    public void reschedule(Collection<Wake> wakes) {}

    @Override
    public void cancel(String run, long wake) {}

    @Override
    public void forget(Collection<String> runs) {}

    @Override
    public List<Due> due(
        Collection<String> exceptTenants, Collection<String> exceptShares, int max) {
      return List.of();
    }

    @Override
    public Set<String> replicas() {
      return Set.of();
    }
  }
}
