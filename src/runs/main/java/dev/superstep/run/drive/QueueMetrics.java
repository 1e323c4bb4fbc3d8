package dev.superstep.run.drive;

import dev.superstep.database.Pools;
import dev.superstep.schedule.ReplicaPoll;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Measures the queue of all replicas every ten seconds. Every replica says the same of it, as of
/// its own last look: take the greatest, not the sum.
@Component
class QueueMetrics implements ReplicaPoll {
  private static final Duration PAUSE = Duration.ofSeconds(10);

  /// Of a longer queue only those that were created first are looked at, so that a look costs the
  /// same however many wait.
  private static final int RUNS_MAX = 10_000;

  private static final String OLDEST =
      """
      select count(*) as runs,
             coalesce(extract(epoch from max(now() - since)), 0)::float8 as age
        from (select coalesce(queued_at, created_at) as since
                from run
               where status = 'queued' and (wakes_at is null or wakes_at <= now())
               order by created_at, id
               limit :max) as waiting
      """;

  private final JdbcClient jdbc;
  private volatile Queue queue = new Queue(0, 0);

  private record Queue(long runs, double age) {}

  QueueMetrics(@Qualifier(Pools.SCHEDULER) JdbcClient jdbc, MeterRegistry meters) {
    this.jdbc = jdbc;
    Gauge.builder("superstep.queue.runs", this, it -> (double) it.queue.runs)
        .description("Runs of all replicas that wait for a place, up to 10,000")
        .register(meters);
    Gauge.builder("superstep.queue.age", this, it -> it.queue.age)
        .description("For how long the run that has waited longest has waited for a place")
        .baseUnit("seconds")
        .register(meters);
  }

  @Override
  public Duration pause() {
    return PAUSE;
  }

  @Override
  public void poll(String replica) {
    queue =
        jdbc.sql(OLDEST)
            .param("max", RUNS_MAX)
            .query((row, _) -> new Queue(row.getLong("runs"), row.getDouble("age")))
            .single();
  }
}
