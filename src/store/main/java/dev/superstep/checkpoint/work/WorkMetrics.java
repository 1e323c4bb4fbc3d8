package dev.superstep.checkpoint.work;

import dev.superstep.database.Pools;
import dev.superstep.schedule.ReplicaPoll;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Measures the queues of tasks of workers every ten seconds. Every replica says the same of them,
/// as of its own last look: take the greatest, not the sum.
@Component
class WorkMetrics implements ReplicaPoll {
  private static final Duration PAUSE = Duration.ofSeconds(10);

  /// Those with most tasks; further ones are not measured.
  private static final int TYPES_MAX = 100;

  /// Of longer queues only so many are looked at, so that a look costs the same however many wait.
  private static final int TASKS_MAX = 10_000;

  private static final String LOOK =
      """
      select type, count(*) filter (where state = 'queued') as queued,
             count(*) filter (where state = 'claimed') as claimed,
             coalesce(extract(epoch from max(now() - queued_at)
                                           filter (where state = 'queued')), 0)::float8 as age
        from ((select type, state, queued_at from task
                where state = 'queued' and tenant_of(id) > '*'
                order by tenant_of(id), type, graph, queued_at, id limit :max)
              union all
              (select type, state, queued_at from task
                where state = 'claimed' and type <> '*' limit :max)) as open
       group by type order by count(*) desc, type limit :types
      """;

  private final JdbcClient jdbc;
  private final MultiGauge queued;
  private final MultiGauge claimed;
  private final MultiGauge age;

  private record TypeQueue(String type, long queued, long claimed, double age) {
    static TypeQueue of(ResultSet row, int number) throws SQLException {
      return new TypeQueue(
          row.getString("type"),
          row.getLong("queued"),
          row.getLong("claimed"),
          row.getDouble("age"));
    }
  }

  WorkMetrics(@Qualifier(Pools.SCHEDULER) JdbcClient jdbc, MeterRegistry meters) {
    this.jdbc = jdbc;
    queued =
        MultiGauge.builder("superstep.tasks.queued")
            .description("Tasks that wait for a worker, up to 10,000 of all types")
            .register(meters);
    claimed =
        MultiGauge.builder("superstep.tasks.claimed")
            .description("Tasks that workers have, up to 10,000 of all types")
            .register(meters);
    age =
        MultiGauge.builder("superstep.tasks.age")
            .description("For how long the task that has waited longest has waited for a worker")
            .baseUnit("seconds")
            .register(meters);
  }

  @Override
  public Duration pause() {
    return PAUSE;
  }

  @Override
  public void poll(String replica) {
    var queues =
        jdbc.sql(LOOK)
            .param("max", TASKS_MAX)
            .param("types", TYPES_MAX)
            .query(TypeQueue::of)
            .list();
    put(queued, queues, TypeQueue::queued);
    put(claimed, queues, TypeQueue::claimed);
    put(age, queues, TypeQueue::age);
  }

  private static void put(
      MultiGauge gauge, List<TypeQueue> queues, ToDoubleFunction<TypeQueue> value) {
    gauge.register(
        queues.stream()
            .<Row<?>>map(it -> Row.of(Tags.of("type", it.type()), () -> value.applyAsDouble(it)))
            .toList(),
        true);
  }
}
