package dev.superstep.run.webhook;

import dev.superstep.database.Pools;
import dev.superstep.schedule.ReplicaPoll;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Counts the attempts of this replica, and measures the deliveries that wait every ten seconds.
/// Every replica says the same of these, as of its own last look: take the greatest, not the sum.
@Component
class DeliveryMetrics implements ReplicaPoll {
  private static final Duration PAUSE = Duration.ofSeconds(10);

  /// Of more only so many are looked at, so that a look costs the same however many wait.
  private static final int DELIVERIES_MAX = 10_000;

  private static final String LOOK =
      """
      select count(*) as deliveries,
             coalesce(extract(epoch from max(now() - created_at)), 0)::float8 as age
        from (select created_at from delivery where status = 'pending'
               order by created_at limit :max) as waiting
      """;

  private final JdbcClient jdbc;
  private final Counter delivered;
  private final Counter failed;
  private volatile WaitingDeliveries waiting = new WaitingDeliveries(0, 0);

  private record WaitingDeliveries(long deliveries, double age) {}

  DeliveryMetrics(@Qualifier(Pools.SCHEDULER) JdbcClient jdbc, MeterRegistry meters) {
    this.jdbc = jdbc;
    delivered = counter(meters, "delivered");
    failed = counter(meters, "failed");
    Gauge.builder("superstep.webhooks.waiting", this, it -> (double) it.waiting.deliveries)
        .description("Deliveries to webhooks that wait, up to 10,000")
        .register(meters);
    Gauge.builder("superstep.webhooks.age", this, it -> it.waiting.age)
        .description("For how long the one that has waited longest has waited")
        .baseUnit("seconds")
        .register(meters);
  }

  private static Counter counter(MeterRegistry meters, String outcome) {
    return Counter.builder("superstep.webhooks.attempts")
        .description("Attempts to deliver something to a webhook")
        .tag("outcome", outcome)
        .register(meters);
  }

  void count(boolean hasArrived) {
    (hasArrived ? delivered : failed).increment();
  }

  @Override
  public Duration pause() {
    return PAUSE;
  }

  @Override
  public void poll(String replica) {
    waiting =
        jdbc.sql(LOOK)
            .param("max", DELIVERIES_MAX)
            .query(
                (row, _) -> new WaitingDeliveries(row.getLong("deliveries"), row.getDouble("age")))
            .single();
  }
}
