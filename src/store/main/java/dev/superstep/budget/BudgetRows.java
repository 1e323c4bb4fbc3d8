package dev.superstep.budget;

import dev.superstep.budget.Budget.Account;
import dev.superstep.database.Pools;
import dev.superstep.model.SpendingGate.CallUsage;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/// The rows of budgets, one per amount and window. A reservation is one conditional statement per
/// row, so that no number of replicas exceeds a limit between them; windows are those of the clock
/// of the database.
///
/// A row does not know whose its reservations are: what is not settled stays reserved, whatever
/// became of the process.
@Component
class BudgetRows {
  private static final String WINDOW =
      """
      date_trunc(:unit, now(), 'UTC') as begins_at,
      (date_trunc(:unit, now() at time zone 'UTC') + ('1 ' || :unit)::interval)
        at time zone 'UTC' as ends_at
      """;

  /// The limits are stored with the row, so that the condition can see them.
  private static final String RESERVE =
      """
      insert into budget_window as stored
        (budget, tenant, caller, begins_at, ends_at, model_calls, tokens_reserved, money_reserved,
         model_calls_max, tokens_max, money_max)
      select :budget, :tenant, :caller, begins_at, ends_at, 1, :tokens, :money,
             calls_max, tokens_max, money_max
        from (select %s, cast(:calls_max as bigint) as calls_max,
                     cast(:tokens_max as bigint) as tokens_max,
                     cast(:money_max as numeric) as money_max) as requested
       where coalesce(1 <= calls_max, true)
         and coalesce(:tokens <= tokens_max, true)
         and coalesce(:money <= money_max, true)
      on conflict (budget, tenant, caller, begins_at) do update
         set model_calls = stored.model_calls + 1,
             tokens_reserved = stored.tokens_reserved + excluded.tokens_reserved,
             money_reserved = stored.money_reserved + excluded.money_reserved,
             model_calls_max = excluded.model_calls_max,
             tokens_max = excluded.tokens_max,
             money_max = excluded.money_max
       where coalesce(stored.model_calls + 1 <= excluded.model_calls_max, true)
         and coalesce(stored.tokens + stored.tokens_reserved + excluded.tokens_reserved
                        <= excluded.tokens_max, true)
         and coalesce(stored.money + stored.money_reserved + excluded.money_reserved
                        <= excluded.money_max, true)
      returning begins_at
      """
          .formatted(WINDOW);

  private static final String SETTLE =
      """
      update budget_window
         set model_calls = model_calls - 1 + :calls,
             tokens_reserved = tokens_reserved - :tokens,
             money_reserved = money_reserved - :money,
             tokens = tokens + :tokens_taken,
             money = money + :money_taken
       where budget = :budget and tenant = :tenant and caller = :caller and begins_at = :begins_at
      """;

  private static final String READ =
      """
      select opened.ends_at, ceil(extract(epoch from opened.ends_at - now())) as left_seconds,
             coalesce(model_calls, 0) as model_calls,
             coalesce(tokens, 0) as tokens, coalesce(tokens_reserved, 0) as tokens_reserved,
             coalesce(money, 0) as money, coalesce(money_reserved, 0) as money_reserved
        from (select %s) as opened
        left join budget_window as stored
          on stored.budget = :budget and stored.tenant = :tenant and stored.caller = :caller
         and stored.begins_at = opened.begins_at
      """
          .formatted(WINDOW);

  /// A day behind its end, nothing is settled any more.
  private static final String PURGE =
      """
      delete from budget_window where ctid in (
        select ctid from budget_window where ends_at < now() - interval '1 day' limit 10000)
      """;

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  BudgetRows(
      @Qualifier(Pools.ENGINE) JdbcClient jdbc,
      @Qualifier(Pools.ENGINE) PlatformTransactionManager transactions) {
    this.jdbc = jdbc;
    this.transaction = new TransactionTemplate(transactions);
  }

  /// The most that a call may draw on an amount.
  record Draw(Account account, long tokens, BigDecimal money) {}

  /// @param beginsAt of the window in which it was reserved
  record StoredDraw(Draw draw, OffsetDateTime beginsAt) {}

  /// The end of an attempt to reserve.
  sealed interface DrawResult {
    record Reserved(List<StoredDraw> draws) implements DrawResult {}

    /// Nothing was reserved.
    record Lacking(Draw draw, BudgetState state) implements DrawResult {}
  }

  /// Reserves all draws or none.
  ///
  /// @param draws in an order that is the same for all calls: the rows are locked in it
  DrawResult reserve(List<Draw> draws) {
    return transaction.execute(status -> {
      var held = new ArrayList<StoredDraw>();
      for (var draw : draws) {
        var begun = reserve(draw);
        if (begun.isEmpty()) {
          status.setRollbackOnly();
          return new DrawResult.Lacking(draw, read(draw.account()));
        }
        held.add(new StoredDraw(draw, begun.get()));
      }
      return new DrawResult.Reserved(List.copyOf(held));
    });
  }

  private Optional<OffsetDateTime> reserve(Draw draw) {
    var limits = draw.account().budget().limits();
    return about(RESERVE, draw.account())
        .param("unit", unit(draw.account()))
        .param("tokens", draw.tokens())
        .param("money", draw.money())
        .param("calls_max", limits.modelCalls().orElse(null))
        .param("tokens_max", limits.tokens().orElse(null))
        .param("money_max", limits.money().orElse(null))
        .query(OffsetDateTime.class)
        .optional();
  }

  /// Replaces what is reserved by what was taken. Twice would give back what others have reserved:
  /// a statement whose answer is lost must not be repeated.
  void settle(List<StoredDraw> draws, CallUsage taken) {
    transaction.executeWithoutResult(_ -> draws.forEach(it -> settle(it, taken)));
  }

  private void settle(StoredDraw held, CallUsage taken) {
    int _ =
        about(SETTLE, held.draw().account())
            .param("begins_at", held.beginsAt())
            .param("calls", taken.calls())
            .param("tokens", held.draw().tokens())
            .param("money", held.draw().money())
            .param("tokens_taken", taken.tokens())
            .param("money_taken", taken.money())
            .update();
  }

  BudgetState read(Account account) {
    return about(READ, account)
        .param("unit", unit(account))
        .query((row, _) -> state(account, row))
        .single();
  }

  private static BudgetState state(Account account, ResultSet row) throws SQLException {
    return new BudgetState(
        account,
        row.getLong("model_calls"),
        row.getLong("tokens"),
        row.getLong("tokens_reserved"),
        row.getBigDecimal("money"),
        row.getBigDecimal("money_reserved"),
        row.getObject("ends_at", OffsetDateTime.class).toInstant(),
        Duration.ofSeconds(row.getLong("left_seconds")));
  }

  /// Who has started a run; empty if there is no such run.
  Optional<String> caller(String run) {
    return jdbc.sql("select caller from run where id = :run")
        .param("run", run)
        .query(String.class)
        .optional();
  }

  void purge() {
    int _ = jdbc.sql(PURGE).update();
  }

  private StatementSpec about(String sql, Account account) {
    return jdbc.sql(sql)
        .param("budget", account.budget().name())
        .param("tenant", account.tenant())
        .param("caller", account.caller());
  }

  private static String unit(Account account) {
    return account.budget().unit().name().toLowerCase(Locale.ROOT);
  }
}
