package dev.superstep.checkpoint;

import dev.superstep.database.Pools;
import dev.superstep.schedule.ReplicaPoll;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Counts the messages that commits of this replica take, and measures those that wait for a run
/// that could take them every ten seconds. Every replica says the same of these, as of its own last
/// look: take the greatest, not the sum.
@Component
public final class MessageMetrics implements ReplicaPoll {
  private static final Duration PAUSE = Duration.ofSeconds(10);

  /// Of more only so many are looked at, so that a look costs the same however many wait.
  private static final int MESSAGES_MAX = 10_000;

  private static final String LOOK =
      """
      select count(*) as messages,
             coalesce(extract(epoch from max(now() - sent_at)), 0)::float8 as age
        from (select message.sent_at
                from run
               cross join lateral (
                     select sent_at from run_message as unread
                      where unread.run = run.id and unread.checkpoint is null
                        and unread.next_run is null
                      limit :max) as message
               where run.status in ('queued', 'running')
               limit :max) as waiting
      """;

  private final JdbcClient jdbc;
  private final Counter taken;
  private volatile WaitingMessages waiting = new WaitingMessages(0, 0);

  private record WaitingMessages(long messages, double age) {}

  public MessageMetrics(@Qualifier(Pools.SCHEDULER) JdbcClient jdbc, MeterRegistry meters) {
    this.jdbc = jdbc;
    taken =
        Counter.builder("superstep.messages.taken")
            .description("Messages to runs that a superstep has taken")
            .register(meters);
    Gauge.builder("superstep.messages.waiting", this, it -> (double) it.waiting.messages)
        .description("Messages that no superstep has taken to runs that are driven, up to 10,000")
        .register(meters);
    Gauge.builder("superstep.messages.age", this, it -> it.waiting.age)
        .description("For how long the one that has waited longest has waited")
        .baseUnit("seconds")
        .register(meters);
  }

  public void take(int messages) {
    taken.increment(messages);
  }

  @Override
  public Duration pause() {
    return PAUSE;
  }

  @Override
  public void poll(String replica) {
    waiting =
        jdbc.sql(LOOK)
            .param("max", MESSAGES_MAX)
            .query((row, _) -> new WaitingMessages(row.getLong("messages"), row.getDouble("age")))
            .single();
  }
}
