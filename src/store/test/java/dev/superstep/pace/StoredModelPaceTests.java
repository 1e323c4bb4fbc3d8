package dev.superstep.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.checkpoint.Retries;
import dev.superstep.checkpoint.StoreTest;
import dev.superstep.database.Pools;
import dev.superstep.model.ModelLimits;
import dev.superstep.model.ModelPace;
import dev.superstep.model.ModelPace.CallTurn;
import dev.superstep.model.ModelPace.Grant;
import dev.superstep.model.ModelPace.PacedCall;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

/// Two replicas that call one model, on one clock.
@StoreTest
@Import(PaceRows.class)
class StoredModelPaceTests {
  private static final Duration LEASE = Duration.ofSeconds(6);

  @Autowired private PaceRows rows;
  @Autowired private JdbcClient jdbc;

  @Autowired
  @Qualifier(Pools.ENGINE)
  private PlatformTransactionManager transactions;

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final String model = "m-" + UUID.randomUUID();
  private StoredModelPace here = replica();
  private StoredModelPace there = replica();

  @BeforeEach
  void starts() {
    here = replica();
    there = replica();
  }

  private StoredModelPace replica() {
    InstantSource clock = now::get;
    return new StoredModelPace(
        rows,
        transactions,
        new Retries(Duration.ofSeconds(1)),
        new PaceMetrics(meters),
        new PaceLane.PaceTerms(clock, LEASE));
  }

  private void pass(Duration time) {
    now.updateAndGet(it -> it.plus(time));
  }

  private PacedCall call(ModelLimits limits, String id, long tokens) {
    return new PacedCall(model, limits, id, "default", tokens);
  }

  private static ModelLimits limits(int requests, long tokens, int concurrency) {
    return new ModelLimits(
        Optional.of(requests).filter(it -> it > 0),
        Optional.of(tokens).filter(it -> it > 0),
        Optional.of(concurrency).filter(it -> it > 0));
  }

  private static Grant granted(CallTurn turn) {
    assertThat(turn).isInstanceOf(CallTurn.Now.class);
    return ((CallTurn.Now) turn).grant();
  }

  private static Duration later(CallTurn turn) {
    assertThat(turn).isInstanceOf(CallTurn.Later.class);
    return ((CallTurn.Later) turn).pause();
  }

  private long stored(String condition) {
    return jdbc.sql("select count(*) from model_call where model = :model and " + condition)
        .param("model", model)
        .query(Long.class)
        .single();
  }

  /// Nobody waits for it, so the other replica looks until it knows; each look is a second later.
  private void knows(StoredModelPace replica, String... cooling) {
    await()
        .untilAsserted(() -> {
          pass(Duration.ofMillis(1_001));
          assertThat(replica.cooling(List.of(model, "other"))).containsExactly(cooling);
        });
  }

  @Test
  void saysOnAllReplicasThatAModelHasFailed() {
    here.cool(model, Duration.ofMinutes(5));

    assertThat(here.cooling(List.of(model, "other"))).containsExactly(model);
    knows(there, model);
    pass(Duration.ofMinutes(5));
    knows(here);
    knows(there);
  }

  /// A provider that asks for an hour is not asked sooner because another call has failed as well.
  @Test
  void shortensNoCooldown() {
    here.cool(model, Duration.ofMinutes(9));
    knows(there, model);
    rows.cool(model, now.get().plusSeconds(30).toEpochMilli());
    here = replica();
    pass(Duration.ofMinutes(5));

    knows(here, model);
  }

  @Test
  void takesAPausedQueueForAFailure() throws Exception {
    var call = call(limits(60, 0, 0), "c", 1);
    here.used(granted(here.ask(call)), 1);
    here.pause(call, Duration.ofMinutes(5));

    knows(there, model);
  }

  /// A model that has failed is called by nodes that have no other.
  @Test
  void movesNoQueueForAFailure() throws Exception {
    here.cool(model, Duration.ofMinutes(5));
    knows(there, model);

    granted(there.ask(call(limits(60, 0, 0), "c", 1)));
  }

  @Test
  void freesThePlaceOfACallThatIsMadeElsewhere() throws Exception {
    var limits = limits(1, 0, 0);
    granted(here.ask(call(limits, "a", 1)));
    var turn = later(here.ask(call(limits, "b", 1)));
    later(there.ask(call(limits, "c", 1)));

    here.leave(call(limits, "b", 1));

    await().untilAsserted(() -> assertThat(stored("not runs and call = 'b'")).isZero());
    pass(turn);
    granted(there.ask(call(limits, "c", 1)));
  }

  @Test
  void letsBothTogetherMakeWhatIsAllowed() throws Exception {
    var limits = limits(100, 0, 0);
    var asking = new ArrayList<Callable<CallTurn>>();
    for (int i = 0; i < 64; i++) {
      var call = call(limits, "c" + i, 1);
      asking.add(() -> (call.id().hashCode() % 2 == 0 ? here : there).ask(call));
    }
    int going = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var turn : threads.invokeAll(asking)) {
        going += turn.get() instanceof CallTurn.Now ? 1 : 0;
      }
    }

    assertThat(going).isEqualTo(11); // of the first tenth of a minute
    assertThat(stored("not runs")).isEqualTo(64 - 11);
  }

  @Test
  void keepsThePlaceOfACallThatAsksAgain() throws Exception {
    var limits = limits(1, 0, 0);
    granted(here.ask(call(limits, "a", 1)));
    later(here.ask(call(limits, "b", 1)));
    later(there.ask(call(limits, "c", 1)));

    pass(Duration.ofMillis(UsedAllowance.PERIOD));
    later(there.ask(call(limits, "c", 1)));
    granted(here.ask(call(limits, "b", 1)));

    assertThat(stored("call = 'b'")).isZero();
    assertThat(stored("call = 'c'")).isEqualTo(1);
  }

  @Test
  void freesThePlacesOfAReplicaThatIsGoneWhenTheirLeaseEnds() throws Exception {
    var limits = limits(0, 0, 2);
    granted(here.ask(call(limits, "a", 1)));
    granted(here.ask(call(limits, "b", 1)));
    assertThat(later(there.ask(call(limits, "c", 1)))).isLessThan(LEASE);

    pass(LEASE.plusMillis(1));
    granted(there.ask(call(limits, "c", 1)));
  }

  @Test
  void prolongsTheLeasesOfCallsThatAreBeingMade() throws Exception {
    var limits = limits(0, 0, 1);
    var grant = granted(here.ask(call(limits, "a", 1)));
    for (int i = 0; i < 10; i++) {
      pass(here.pause());
      here.poll("r");
    }
    later(there.ask(call(limits, "b", 1)));

    here.used(grant, 1);
    await().untilAsserted(() -> assertThat(stored("runs")).isZero());
    granted(there.ask(call(limits, "b", 1)));
  }

  /// A task that another replica has taken over makes its call again.
  @Test
  void countsACallThatIsMadeAgainOnce() throws Exception {
    var limits = limits(0, 0, 1);
    granted(here.ask(call(limits, "a", 1)));

    granted(there.ask(call(limits, "a", 1)));

    assertThat(stored("runs")).isEqualTo(1);
  }

  @Test
  void givesBackWhatWasNotUsed() throws Exception {
    var limits = limits(0, 1_000, 0);
    var grant = granted(here.ask(call(limits, "a", 1_000)));
    later(there.ask(call(limits, "b", 800)));
    here.used(grant, 100);

    await().untilAsserted(() -> granted(there.ask(call(limits, "b", 800))));
  }

  /// Of a process that was not warm, nobody knows when its first requests reach the provider.
  @Test
  void countsTheFirstCallsOfAProcessFromTheirEnd() throws Exception {
    var limits = limits(1, 0, 0);
    var first = granted(here.ask(call(limits, "a", 1)));
    pass(Duration.ofSeconds(5));
    here.used(first, 1);
    await().untilAsserted(() -> assertThat(begun()).isEqualTo(now.get().toEpochMilli()));

    pass(Duration.ofMillis(UsedAllowance.PERIOD - 5_000));
    later(there.ask(call(limits, "b", 1)));
    pass(Duration.ofSeconds(5));
    var second = granted(here.ask(call(limits, "b", 1)));
    pass(Duration.ofSeconds(5));
    here.used(second, 1);

    pass(Duration.ofMillis(UsedAllowance.PERIOD - 5_000));
    granted(here.ask(call(limits, "c", 1)));
  }

  @Test
  void countsACallFromWhenItIsSent() throws Exception {
    var limits = limits(1, 0, 0);
    here.used(granted(here.ask(call(limits, "a", 1))), 1);
    await().untilAsserted(() -> assertThat(begun()).isEqualTo(now.get().toEpochMilli()));
    pass(Duration.ofMillis(UsedAllowance.PERIOD));
    var grant = granted(here.ask(call(limits, "b", 1)));
    assertThat(here.sent(grant)).isEqualTo(grant);

    pass(Duration.ofSeconds(3));
    assertThat(here.sent(grant).atMs()).isEqualTo(now.get().toEpochMilli());

    await().untilAsserted(() -> assertThat(begun()).isLessThan(now.get().toEpochMilli() + 1));
    await()
        .untilAsserted(() -> assertThat(begun()).isGreaterThan(now.get().toEpochMilli() - 1_000));
    pass(Duration.ofMillis(UsedAllowance.PERIOD - 3_000));
    later(there.ask(call(limits, "c", 1)));
  }

  private long begun() {
    var used =
        jdbc.sql("select used from model_pace where model = ?")
            .param(model)
            .query(String.class)
            .single();
    var last = used.substring(used.lastIndexOf(';') + 1).split(" ", -1);
    return Long.parseLong(last[0]) * UsedAllowance.QUARTER;
  }

  @Test
  void givesBackACallThatWasNotMade() throws Exception {
    var limits = limits(1, 0, 0);
    var grant = granted(here.ask(call(limits, "a", 1)));
    later(there.ask(call(limits, "b", 1)));
    here.unused(grant);

    await().untilAsserted(() -> granted(there.ask(call(limits, "b", 1))));
  }

  @Test
  void movesTheQueueOfAllReplicasWhenTheProviderAsksForIt() throws Exception {
    var limits = limits(600, 0, 0);
    var call = call(limits, "a", 1);
    granted(here.ask(call));
    here.pause(call, Duration.ofMinutes(3));
    await()
        .untilAsserted(() ->
            assertThat(
                    jdbc.sql("select paused_until is not null from model_pace where model = ?")
                        .param(model)
                        .query(Boolean.class)
                        .single())
                .isTrue());

    assertThat(later(there.ask(call(limits, "b", 1)))).isGreaterThan(Duration.ofSeconds(179));
    pass(Duration.ofMinutes(3));
    granted(there.ask(call(limits, "b", 1)));
  }

  @Test
  void measuresWhatWaitsAndWhatWasUsed() throws Exception {
    var limits = limits(1, 1_000, 0);
    granted(here.ask(call(limits, "a", 250)));
    later(here.ask(call(limits, "b", 1)));

    here.poll("r");

    var names = List.of("requests", "tokens");
    assertThat(meters.get("superstep.model.waiting").tag("model", model).gauge().value())
        .isEqualTo(1);
    assertThat(names)
        .map(
            it -> meters.get("superstep.model.used").tags("model", model, "of", it).gauge().value())
        .containsExactly(1.0, 0.25);
  }

  @Test
  void forgetsCallsThatAskNoMore() throws Exception {
    var limits = limits(1, 0, 0);
    granted(here.ask(call(limits, "a", 1)));
    later(here.ask(call(limits, "b", 1)));

    pass(Duration.ofMinutes(15));
    here.poll("r");

    assertThat(stored("true")).isZero();
  }

  @Test
  void letsEveryCallGoWithoutALimit() throws Exception {
    assertThat(ModelPace.NONE.ask(call(limits(1, 0, 0), "a", 1))).isInstanceOf(CallTurn.Now.class);
  }
}
