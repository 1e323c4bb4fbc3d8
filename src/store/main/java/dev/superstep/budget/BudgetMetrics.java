package dev.superstep.budget;

import dev.superstep.database.Pools;
import dev.superstep.schedule.ReplicaPoll;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Measures what is left of budgets, every thirty seconds. Every replica says the same of them:
/// take the least, not the sum.
@Component
class BudgetMetrics implements ReplicaPoll {
  private static final Duration PAUSE = Duration.ofSeconds(30);

  /// Of an amount the scarcest limit, and of a tenant's callers the one who has least: a meter for
  /// each caller would be as many as there are keys.
  private static final String LEFT =
      """
      select budget, tenant,
             greatest(0, min(least(
               1 - model_calls / greatest(model_calls_max, 1)::numeric,
               1 - (tokens + tokens_reserved) / greatest(tokens_max, 1)::numeric,
               1 - (money + money_reserved)
                     / case when money_max = 0 then 1 else money_max end)))::float8 as left_part
        from budget_window
       where budget in (:budgets) and begins_at <= now() and ends_at > now()
       group by budget, tenant
       order by left_part, budget, tenant
       limit 1000
      """;

  private final List<String> budgets;
  private final JdbcClient jdbc;
  private final MultiGauge left;

  BudgetMetrics(
      BudgetSettings settings, @Qualifier(Pools.SCHEDULER) JdbcClient jdbc, MeterRegistry meters) {
    this.budgets = settings.read().stream().map(Budget::name).toList();
    this.jdbc = jdbc;
    this.left =
        MultiGauge.builder("superstep.budget.left")
            .description("What is left of a budget in its window, from 0 to 1")
            .register(meters);
  }

  @Override
  public Duration pause() {
    return PAUSE;
  }

  @Override
  public void poll(String replica) {
    if (budgets.isEmpty()) {
      return;
    }
    var rows =
        jdbc.sql(LEFT)
            .param("budgets", budgets)
            .query((row, _) -> {
              var tags = Tags.of("budget", row.getString(1), "tenant", row.getString(2));
              return MultiGauge.Row.of(tags, row.getDouble(3));
            })
            .list();
    left.register(rows, true);
  }
}
