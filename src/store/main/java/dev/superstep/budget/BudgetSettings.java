package dev.superstep.budget;

import dev.superstep.budget.Budget.Per;
import dev.superstep.budget.Budget.Unit;
import dev.superstep.context.Glob;
import dev.superstep.problem.Setting;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// What may be spent on models.
///
/// @param budgets name → budget
@ConfigurationProperties("superstep")
record BudgetSettings(@DefaultValue Map<String, BudgetEntry> budgets) {
  private static final int BUDGETS_MAX = 100;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  BudgetSettings {
    budgets = new TreeMap<>(budgets);
    new Setting("superstep.budgets").within(0, BUDGETS_MAX, budgets.size());
    budgets.forEach((name, entry) -> {
      if (!NAME.matcher(name).matches()) {
        throw new Setting("superstep.budgets")
            .invalid("has a budget '%s', which is no name: %s".formatted(name, NAME.pattern()));
      }
      entry.check("superstep.budgets." + name);
    });
  }

  /// By name.
  List<Budget> read() {
    return budgets.entrySet().stream().map(it -> it.getValue().read(it.getKey())).toList();
  }

  /// @param tenant pattern of the tenants that it concerns
  /// @param caller pattern of the ids of keys, or of subjects of tokens, that it concerns
  /// @param graph pattern of the graphs that it concerns
  /// @param per who has an amount of its own
  /// @param window after which it is renewed
  /// @param modelCalls that may be begun; absent: any number
  /// @param tokens of input and output; absent: any number
  /// @param money in the currency of the prices; absent: any amount
  record BudgetEntry(
      @DefaultValue("*") String tenant,
      @DefaultValue("*") String caller,
      @DefaultValue("*") String graph,
      @DefaultValue("tenant") Per per,
      @DefaultValue("month") Unit window,
      @Nullable Long modelCalls,
      @Nullable Long tokens,
      @Nullable BigDecimal money) {
    private static final long COUNT_MAX = 1_000_000_000_000_000L;
    private static final BigDecimal MONEY_MAX = BigDecimal.valueOf(1_000_000_000_000L);
    private static final int DECIMALS_MAX = 9;

    private void check(String property) {
      checkPattern(property + ".tenant", tenant);
      checkPattern(property + ".caller", caller);
      checkPattern(property + ".graph", graph);
      if (modelCalls == null && tokens == null && money == null) {
        throw new Setting(property).invalid("limits nothing: set model-calls, tokens or money");
      }
      checkCount(property + ".model-calls", modelCalls);
      checkCount(property + ".tokens", tokens);
      if (money != null
          && (money.signum() < 0
              || money.scale() > DECIMALS_MAX
              || money.scale() < -DECIMALS_MAX
              || money.compareTo(MONEY_MAX) > 0)) {
        throw new Setting(property + ".money")
            .invalid(
                "must be from 0 to %s, with at most %d decimals"
                    .formatted(MONEY_MAX.toPlainString(), DECIMALS_MAX));
      }
    }

    private static void checkPattern(String property, String pattern) {
      Glob.refusal(pattern)
          .ifPresent(it -> {
            throw new Setting(property).invalid("is no pattern: " + it);
          });
    }

    private static void checkCount(String property, @Nullable Long count) {
      if (count != null) {
        new Setting(property).within(0, COUNT_MAX, count);
      }
    }

    private Budget read(String name) {
      return new Budget(
          name,
          new Budget.Concerned(Glob.of(tenant), Glob.of(caller), Glob.of(graph)),
          per,
          window,
          new Budget.Ceilings(
              Optional.ofNullable(modelCalls),
              Optional.ofNullable(tokens),
              Optional.ofNullable(money)));
    }
  }
}
