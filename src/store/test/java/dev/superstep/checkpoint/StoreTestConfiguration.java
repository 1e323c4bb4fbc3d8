package dev.superstep.checkpoint;

import dev.superstep.audit.AuditLog;
import dev.superstep.database.OwnThings;
import dev.superstep.database.PoolEntities;
import dev.superstep.database.TestDatabase;
import dev.superstep.schedule.Wake;
import dev.superstep.schedule.WakeUps;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;

/// The package with a database and nothing else of the service. Not a `@Configuration`: the
/// component scan of other tests must not find it.
@AutoConfigurationPackage
@ComponentScan
@Import({
  TestDatabase.class,
  PoolEntities.class,
  PostgresBackend.class,
  AuditLog.class,
  OwnThings.class
})
@ImportAutoConfiguration({
  DataSourceAutoConfiguration.class,
  TransactionAutoConfiguration.class,
  HibernateJpaAutoConfiguration.class,
  DataJpaRepositoriesAutoConfiguration.class,
  JdbcTemplateAutoConfiguration.class,
  JdbcClientAutoConfiguration.class,
  FlywayAutoConfiguration.class
})
class StoreTestConfiguration {

  @Bean
  CommitListener listener() {
    return CommitListener.NONE;
  }

  @Bean
  MeterRegistry meters() {
    return new SimpleMeterRegistry();
  }

  @Bean
  RecordedWakeUps wakeUps() {
    return new RecordedWakeUps();
  }

  @Bean
  InstantSource clock() {
    return InstantSource.system();
  }

  /// Lets tests lose the acknowledgements of the database.
  @Bean
  static BeanPostProcessor faultyDataSource() {
    var faults = new FaultyDataSource.Faults();
    return new BeanPostProcessor() {
      @Override
      public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof DataSource source ? new FaultyDataSource(source, faults) : bean;
      }
    };
  }

  static final class RecordedWakeUps implements WakeUps {
    final List<Wake> wakes = new CopyOnWriteArrayList<>();

    @Override
    public void schedule(Collection<Wake> added) {
      wakes.addAll(added);
    }

    @Override
    public void reschedule(Collection<Wake> due) {
      wakes.addAll(due);
    }

    @Override
    public void cancel(String run, long wake) {
      wakes.removeIf(it -> it.run().equals(run) && it.number() == wake);
    }

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
