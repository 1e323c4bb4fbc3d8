package dev.superstep.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.superstep.budget.Budget.Account;
import dev.superstep.budget.Budget.Per;
import dev.superstep.budget.Budget.Unit;
import dev.superstep.budget.BudgetSettings.BudgetEntry;
import dev.superstep.checkpoint.Retries;
import dev.superstep.checkpoint.StoreTest;
import dev.superstep.database.Pools;
import dev.superstep.engine.TestRunHeader;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.model.ModelPrices;
import dev.superstep.model.SpendingGate.CallBound;
import dev.superstep.model.SpendingGate.CallUsage;
import dev.superstep.model.SpendingGate.Reservation;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.tenant.Tenant;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;

/// What budgets let through, on a real database.
@StoreTest
class BudgetsTests {
  private static final ModelPrices PRICES =
      new ModelPrices(
          new BigDecimal("3"), new BigDecimal("15"), new BigDecimal("0.3"), new BigDecimal("3"));
  private static final DataSource UNREACHABLE = new DriverManagerDataSource("jdbc:none:");
  private static final int CALLERS = 64;
  private static final int CALLS_OF_EACH = 40;

  @Autowired
  @Qualifier(Pools.ENGINE)
  private JdbcClient jdbc;

  @Autowired
  @Qualifier(Pools.ENGINE)
  private PlatformTransactionManager transactions;

  /// Its budgets are no other test's.
  private final String name = "b" + UUID.randomUUID();

  private final RunHeader run = header("ask");

  @BeforeEach
  void runs() {
    insert(run.id(), "ann");
  }

  private static RunHeader header(String graph) {
    return TestRunHeader.of("run-" + UUID.randomUUID(), graph, 1, 0, ObjectValue.empty());
  }

  private void insert(String id, String caller) {
    jdbc.sql(
            "insert into run (id, graph, version, status, caller) values (?, 'ask', 1, 'queued', ?)")
        .params(id, caller)
        .update();
  }

  /// One replica's.
  private Budgets replica(Duration wait, Map<String, BudgetEntry> budgets) {
    return new Budgets(
        new BudgetSettings(budgets),
        new BudgetRows(jdbc, transactions),
        new Retries(Duration.ofSeconds(1)),
        wait);
  }

  private Budgets replica(BudgetEntry budget) {
    return replica(Duration.ZERO, Map.of(name, budget));
  }

  private static BudgetEntry money(String most) {
    return budget(Per.TENANT, null, null, new BigDecimal(most));
  }

  private static BudgetEntry budget(
      Per per, @Nullable Long calls, @Nullable Long tokens, @Nullable BigDecimal money) {
    return new BudgetEntry("*", "*", "*", per, Unit.MONTH, calls, tokens, money);
  }

  private static CallBound call(long input, long output) {
    return new CallBound("small", input, OptionalLong.of(output), Optional.of(PRICES));
  }

  /// A million tokens of output cost 15.
  private static CallBound costing(String money) {
    return call(
        0,
        new BigDecimal(money)
            .movePointRight(6)
            .divideToIntegralValue(new BigDecimal(15))
            .longValueExact());
  }

  private static CallUsage usage(String money) {
    return new CallUsage(1, 1, new BigDecimal(money));
  }

  private BudgetState state() {
    var budget = new BudgetSettings(Map.of(name, money("1"))).read().getFirst();
    return new BudgetRows(jdbc, transactions).read(new Account(budget, "default", ""));
  }

  /// Callers of two replicas, of which some are killed between the call and its settlement. The
  /// provider charges what it wants, up to what the call may take.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void neverBeginsACallThatWouldExceedTheBudget(long seed) throws Exception {
    var replicas = List.of(replica(money("1.00")), replica(money("1.00")));
    var charged = new AtomicReference<>(BigDecimal.ZERO);
    var lost = new AtomicReference<>(BigDecimal.ZERO);
    var refused = new AtomicInteger();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var callers = new ArrayList<Future<?>>();
      for (int i = 0; i < CALLERS; i++) {
        var random = new Random(seed * CALLERS + i);
        var replica = replicas.get(i % 2);
        callers.add(
            threads.submit(() -> {
              for (int n = 0; n < CALLS_OF_EACH; n++) {
                var most = call(random.nextLong(2_000), random.nextLong(1, 2_000));
                Reservation reservation;
                try {
                  reservation = replica.reserve(run, () -> most);
                } catch (TaskFailedException e) {
                  assertThat(e.error().code()).isEqualTo("budget_exhausted");
                  refused.incrementAndGet();
                  continue;
                }
                var cost =
                    most.money().orElseThrow().multiply(BigDecimal.valueOf(random.nextInt(101), 2));
                charged.accumulateAndGet(cost, BigDecimal::add);
                if (random.nextInt(10) == 0) {
                  lost.accumulateAndGet(most.money().orElseThrow(), BigDecimal::add);
                } else {
                  reservation.settle(new CallUsage(1, 10, cost));
                }
              }
              return null;
            }));
      }
      for (var caller : callers) {
        caller.get();
      }
    }

    assertThat(charged.get()).isLessThanOrEqualTo(BigDecimal.ONE);
    assertThat(refused.get()).isPositive();
    var state = state();
    assertThat(state.moneyReserved()).isEqualByComparingTo(lost.get());
    assertThat(state.money().add(state.moneyReserved()))
        .isLessThanOrEqualTo(BigDecimal.ONE)
        .isGreaterThan(new BigDecimal("0.95"));
  }

  @Test
  void saysWhichBudgetIsUsedUpAndUntilWhen() throws Exception {
    var budgets = replica(money("1.00"));
    budgets.reserve(run, () -> costing("0.9")).settle(usage("0.75"));

    var refusal =
        catchThrowableOfType(
            TaskFailedException.class, () -> budgets.reserve(run, () -> costing("0.3")));

    var error = refusal.error();
    assertThat(Canonical.text(error.details()))
        .contains(
            "\"budget\":\"%s\"".formatted(name),
            "\"limited\":\"money\"",
            "\"limit\":\"1\"",
            "\"spent\":\"0.75\"",
            "\"renews_at\":\"%s\"".formatted(state().renewsAt()));
    assertThat(error.message()).contains("0.75 of 1 money are spent", "may take up to 0.3");
    var renewal = state().renewsAt().atOffset(ZoneOffset.UTC);
    assertThat(renewal.getDayOfMonth()).isEqualTo(1);
    assertThat(renewal.toLocalTime()).isEqualTo("00:00");
    assertThat(state().money()).isEqualByComparingTo("0.75");
  }

  /// What fits exactly is let through.
  @Test
  void spendsABudgetToItsLast() throws Exception {
    var budgets = replica(money("0.60"));

    budgets.reserve(run, () -> costing("0.3")).settle(usage("0.3"));
    budgets.reserve(run, () -> costing("0.3")).settle(usage("0.3"));

    assertThatThrownBy(() -> budgets.reserve(run, () -> call(1, 1)))
        .hasMessageContaining("0.6 of 0.6 money");
  }

  @Test
  void countsCallsAndTokens() throws Exception {
    var two = replica(budget(Per.TENANT, 2L, null, null));
    two.reserve(run, () -> costing("0.3")).settle(CallUsage.REFUSED);
    two.reserve(run, () -> costing("0.3")).settle(CallUsage.NOTHING);
    two.reserve(run, () -> costing("0.3"));
    assertThatThrownBy(() -> two.reserve(run, () -> call(1, 1)))
        .hasMessageContaining("2 of 2 model_calls");

    var tokens = replica(Duration.ZERO, Map.of("t" + name, budget(Per.TENANT, null, 100L, null)));
    tokens.reserve(run, () -> call(40, 40)).settle(new CallUsage(1, 30, BigDecimal.ZERO));
    tokens.reserve(run, () -> call(30, 40));
    assertThatThrownBy(() -> tokens.reserve(run, () -> call(1, 0)))
        .hasMessageContaining("30 of 100 tokens are spent and 70 reserved");
  }

  /// All budgets that concern a call, or none.
  @Test
  void reservesNothingWhereOneOfSeveralBudgetsIsUsedUp() throws Exception {
    var budgets =
        replica(
            Duration.ZERO,
            Map.of(name, money("1"), name + "z", budget(Per.SERVER, 1L, null, null)));
    budgets.reserve(run, () -> costing("0.3")).settle(usage("0.1"));

    assertThatThrownBy(() -> budgets.reserve(run, () -> costing("0.3")))
        .hasMessageContaining(name + "z");

    assertThat(state().money()).isEqualByComparingTo("0.1");
    assertThat(state().moneyReserved()).isEqualByComparingTo("0");
    assertThat(state().modelCalls()).isOne();
  }

  /// Of what each call may take, most is given back: it would be wrong to fail the next one.
  @Test
  void waitsForWhatCallsUnderWayGiveBack() throws Exception {
    var budgets = replica(Duration.ofSeconds(20), Map.of(name, money("1.00")));
    var first = budgets.reserve(run, () -> costing("0.9"));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var second = threads.submit(() -> budgets.reserve(run, () -> costing("0.6")));
      await().during(Duration.ofMillis(200)).until(() -> !second.isDone());

      first.settle(usage("0.1"));

      second.get().settle(usage("0.6"));
    }
    assertThat(state().money()).isEqualByComparingTo("0.7");
  }

  /// Whatever a provider takes beyond what it was asked for counts.
  @Test
  void countsWhatAProviderTakesBeyondItsBound() throws Exception {
    var budgets = replica(money("1"));

    budgets.reserve(run, () -> costing("0.3")).settle(usage("1.5"));
    assertThat(state().money()).isEqualByComparingTo("1.5");

    assertThatThrownBy(() -> budgets.requireLeft("ask", "ann"))
        .isInstanceOfSatisfying(
            ServiceException.class,
            it -> {
              assertThat(it.code()).isEqualTo(ErrorCode.BUDGET_EXHAUSTED);
              assertThat((Long) it.members().get("retry_after"))
                  .isBetween(1L, Duration.ofDays(31).toSeconds());
            });
  }

  @Test
  void keepsAnAmountForEachCaller() throws Exception {
    var budgets = replica(budget(Per.CALLER, 1L, null, null));
    var others = header("ask");
    insert(others.id(), "bob");

    budgets.reserve(run, () -> call(1, 1));
    budgets.reserve(others, () -> call(1, 1));

    assertThatThrownBy(() -> budgets.reserve(run, () -> call(1, 1)))
        .isInstanceOf(TaskFailedException.class);
    budgets.requireLeft("ask", "carl");
    assertThatThrownBy(() -> budgets.requireLeft("ask", "bob"))
        .isInstanceOf(ServiceException.class);
  }

  @Test
  void keepsAnAmountForEachTenant() throws Exception {
    var budgets = replica(budget(Per.TENANT, 1L, null, null));

    budgets.reserve(header("acme/ask"), () -> call(1, 1));
    budgets.reserve(header("ask"), () -> call(1, 1));

    assertThatThrownBy(() -> budgets.reserve(header("acme/tell"), () -> call(1, 1)))
        .isInstanceOf(TaskFailedException.class);
  }

  /// An author who moves a call into a graph of his definition has not left the budget. A caller's
  /// own and its tenant's, and what all share; of budgets for some graphs, too.
  @Test
  void listsTheAmountsOnWhichACallerDraws() throws Exception {
    var acme = new BudgetEntry("acme", "*", "ask", Per.TENANT, Unit.DAY, 5L, null, null);
    var anns = new BudgetEntry("*", "ann", "*", Per.CALLER, Unit.DAY, null, 10L, BigDecimal.ONE);
    var all = new BudgetEntry("*", "*", "*", Per.SERVER, Unit.MONTH, 7L, null, null);
    var budgets =
        replica(
            Duration.ZERO,
            Map.of(
                name + "-a", acme, name + "-b", anns, name + "-c", all, name + "-d", money("2")));
    var ofAcme = header("acme/ask");
    insert(ofAcme.id(), "ann");
    budgets.reserve(ofAcme, () -> call(4, 3));

    assertThat(listed(budgets, "acme", "ann"))
        .containsExactly(
            "a acme  [model_calls 5 1 0 4]",
            "b acme ann [tokens 10 0 7 3, money 1 0 0.000057 0.999943]",
            "c   [model_calls 7 1 0 6]",
            "d acme  [money 2 0 0.000057 1.999943]");
    assertThat(listed(budgets, "default", "bob"))
        .containsExactly("c   [model_calls 7 1 0 6]", "d default  [money 2 0 0 2]");
    assertThat(listed(budgets, "default", "ann"))
        .contains("b default ann [tokens 10 0 0 10, money 1 0 0 1]");
  }

  private List<String> listed(Budgets budgets, String tenant, String caller) {
    return budgets.accounts(new Tenant(tenant), caller).stream()
        .map(it -> {
          var limits =
              budgets.state(it).used().stream()
                  .map(used ->
                      Stream.of(used.limit(), used.spent(), used.reserved(), used.left())
                          .map(amount ->
                              amount.add(BigDecimal.ZERO).stripTrailingZeros().toPlainString())
                          .collect(Collectors.joining(" ", used.what() + " ", "")))
                  .toList();
          return "%s %s %s %s"
              .formatted(
                  it.budget().name().substring(name.length() + 1),
                  it.tenant(),
                  it.caller(),
                  limits);
        })
        .toList();
  }

  @Test
  void concernsInlineGraphsOfADefinition() throws Exception {
    var budgets = replica(new BudgetEntry("*", "*", "ask", Per.TENANT, Unit.MONTH, 1L, null, null));

    budgets.reserve(header("ask#inner"), () -> call(1, 1));
    budgets.reserve(header("asks"), () -> call(1, 1));

    assertThatThrownBy(() -> budgets.reserve(header("ask"), () -> call(1, 1)))
        .isInstanceOf(TaskFailedException.class);
  }

  /// Neither the database nor the size of the request is looked at.
  @Test
  void readsNothingForRunsThatNoBudgetConcerns() throws Exception {
    var budgets =
        new Budgets(
            new BudgetSettings(
                Map.of(
                    "a", new BudgetEntry("acme", "*", "*", Per.CALLER, Unit.DAY, 1L, null, null),
                    "b",
                        new BudgetEntry("*", "*", "paid-*", Per.CALLER, Unit.DAY, 1L, null, null))),
            new BudgetRows(JdbcClient.create(UNREACHABLE), transactions),
            new Retries(Duration.ZERO),
            Duration.ZERO);

    var reservation =
        budgets.reserve(
            run,
            () -> {
              throw new AssertionError("measured");
            });

    assertThat(reservation).isSameAs(Reservation.NONE);
    budgets.requireLeft("ask", "ann");
  }

  @Test
  void refusesCallsOfWhichItIsNotKnownWhatTheyTake() {
    var budgets = replica(money("1"));
    var unpriced = new CallBound("small", 1, OptionalLong.of(1), Optional.empty());
    var unbounded = new CallBound("small", 1, OptionalLong.empty(), Optional.of(PRICES));

    assertThatThrownBy(() -> budgets.reserve(run, () -> unpriced))
        .hasMessageContaining("set superstep.models.small.prices.input and .output");
    assertThatThrownBy(() -> budgets.reserve(run, () -> unbounded))
        .hasMessageContaining("set max-tokens in superstep.models.small.options");
    assertThat(state().modelCalls()).isZero();
  }

  @Test
  void deletesRowsOfPastWindowsAndBeginsAnew() throws Exception {
    var budgets = replica(money("1"));
    budgets.reserve(run, () -> costing("0.9"));
    jdbc.sql(
            """
            update budget_window set begins_at = begins_at - interval '40 days',
                                     ends_at = ends_at - interval '40 days'
             where budget = ?
            """)
        .param(name)
        .update();

    var reservation = budgets.reserve(run, () -> costing("0.9"));
    new BudgetRows(jdbc, transactions).purge();

    reservation.settle(usage("0.2"));
    assertThat(
            jdbc.sql("select count(*) from budget_window where budget = ?")
                .param(name)
                .query(Integer.class)
                .single())
        .isOne();
    assertThat(state().money()).isEqualByComparingTo("0.2");
  }

  /// Of the scarcest limit.
  @Test
  void measuresWhatIsLeft() throws Exception {
    var budgets = Map.of(name, budget(Per.TENANT, 10L, 1_000L, new BigDecimal("1")));
    replica(Duration.ZERO, budgets)
        .reserve(run, () -> call(200, 100))
        .settle(new CallUsage(1, 400, new BigDecimal("0.3")));
    var meters = new SimpleMeterRegistry();
    var metrics = new BudgetMetrics(new BudgetSettings(budgets), jdbc, meters);

    metrics.poll("one");

    assertThat(meters.get("superstep.budget.left").tags("budget", name).gauge().value())
        .isEqualTo(0.6);
  }
}
