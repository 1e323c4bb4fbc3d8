package dev.superstep.schedule;

import dev.superstep.database.TestDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/// The package with a database and nothing else of the service. Not a `@Configuration`: the
/// component scan of other tests must not find it.
@ComponentScan
@EnableConfigurationProperties(ScheduleSettings.class)
@Import(TestDatabase.class)
@ImportAutoConfiguration({
  DataSourceAutoConfiguration.class,
  DataSourceTransactionManagerAutoConfiguration.class,
  JdbcTemplateAutoConfiguration.class,
  JdbcClientAutoConfiguration.class,
  TransactionAutoConfiguration.class,
  FlywayAutoConfiguration.class
})
class ScheduleParts {

  @Bean
  MeterRegistry meters() {
    return new SimpleMeterRegistry();
  }

  @Bean
  ScheduledRows scheduledRows(JdbcClient jdbc) {
    return new ScheduledRows(jdbc);
  }

  @Bean
  Recorder recorder() {
    return new Recorder();
  }

  @Bean
  RecurringJob recurringJob(Recorder recorder) {
    return new RecurringJob("counted", Duration.ofMillis(50), recorder.rounds::incrementAndGet);
  }

  /// All that the package calls, recorded.
  static final class Recorder implements WakeHandler, NotificationListener, ReplicaPoll {
    final List<String> woken = new CopyOnWriteArrayList<>();
    final List<String> dead = new CopyOnWriteArrayList<>();
    final List<String> lost = new CopyOnWriteArrayList<>();
    final List<String> left = new CopyOnWriteArrayList<>();
    final List<String> polls = new CopyOnWriteArrayList<>();
    final AtomicInteger full = new AtomicInteger();
    final AtomicInteger rounds = new AtomicInteger();

    @Override
    public Handled wake(String run, long number, String replica) {
      woken.add(run + "/" + number);
      return full.getAndUpdate(it -> Math.max(0, it - 1)) > 0 ? Handled.FULL : Handled.DONE;
    }

    @Override
    public void replicaDied(String id) {
      dead.add(id);
    }

    @Override
    public void replicaLost(String id) {
      lost.add(id);
    }

    @Override
    public void historyChanged(String id) {
      left.add(id);
    }

    @Override
    public void drain(Duration atMost) {}

    @Override
    public Duration pause() {
      return Duration.ofMillis(50);
    }

    @Override
    public void poll(String replica) {
      polls.add(replica);
    }

    @Override
    public void onNotification(
        String sender, ReplicaNotifications.NotificationKind kind, String run) {}

    @Override
    public void onLiveText(String text) {}

    @Override
    public void missedSome() {}
  }
}
