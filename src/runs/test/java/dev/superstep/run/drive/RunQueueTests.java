package dev.superstep.run.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.database.TestDatabase;
import dev.superstep.engine.node.SlotCounts.WithoutRoom;
import dev.superstep.tenant.Share;
import dev.superstep.tenant.Tenant;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/// Turns among more tenants, callers of one and graphs of one caller than are looked at for a turn.
class RunQueueTests {
  private static final int MANY = 300;
  private static final SingleConnectionDataSource source = new SingleConnectionDataSource();
  private static final JdbcClient jdbc = JdbcClient.create(source);

  private final Random random = new Random();
  private final RunQueue runQueue = new RunQueue(jdbc, new Suspects());

  @BeforeAll
  static void migrates() throws SQLException {
    var database = TestDatabase.migrated();
    source.setUrl(database.getJdbcUrl());
    source.setUsername(database.getUsername());
    source.setPassword(database.getPassword());
    source.setSuppressClose(true);
  }

  @AfterAll
  static void closes() {
    source.destroy();
  }

  @BeforeEach
  void empties() {
    jdbc.sql("delete from run").update();
    long seed = System.nanoTime();
    random.setSeed(seed);
    System.out.println("RunQueueTests seed " + seed);
  }

  private static void waits(String id, String caller, String graph, int priority) {
    jdbc.sql(
            """
            insert into run (id, graph, version, status, caller, priority, created_at)
            values (?, ?, 1, 'queued', ?, ?, now() - interval '1 minute')
            """)
        .params(id, graph, caller, priority)
        .update();
  }

  /// Runs that have a name that says nothing of their order.
  private List<String> names(String prefix) {
    return IntStream.range(0, MANY)
        .mapToObj(i -> "%s-%08x-%d".formatted(prefix, random.nextInt(), i))
        .toList();
  }

  private RunQueue.QueueTurn turn() {
    var any = jdbc.sql("select id from run where status = 'queued' limit 1").query(String.class);
    return runQueue.next(any.single(), 0);
  }

  /// As if it was claimed; it stays driven until [RunQueue#ended].
  private RunQueue.QueueKey take(RunQueue.QueueTurn turn) {
    jdbc.sql("update run set status = 'running', owner = 'me' where id = ?")
        .param(turn.run())
        .update();
    var place = turn.chosen();
    assertThat(place).as("several compete").isNotNull();
    runQueue.started(place.share(), place.graph());
    runQueue.settled(turn);
    return place;
  }

  /// Runs are so short that none is driven when the next one is chosen; all callers have more.
  @Test
  void servesEachOfManyCallersInEachRound() {
    names("caller").forEach(it -> waitThree(it));
    runQueue.refresh();
    for (int round = 0; round < 2; round++) {
      var served = new HashSet<String>();
      for (int i = 0; i < MANY; i++) {
        var place = take(turn());
        runQueue.ended(place.share(), place.graph());
        served.add(place.share().caller());
      }
      assertThat(served.size()).as("callers of round %d", round).isEqualTo(MANY);
    }
  }

  private static void waitThree(String caller) {
    for (int i = 0; i < 3; i++) {
      waits(caller + "-" + i, caller, "graph", 0);
    }
  }

  /// Runs take differently long: nobody waits for longer than a round while nothing of him is
  /// driven.
  @Test
  void passesNobodyOfWhomNothingIsDriven() {
    var callers = names("caller");
    callers.forEach(it -> waitThree(it));
    runQueue.refresh();
    var driven = new HashMap<String, RunQueue.QueueKey>();
    Map<String, Integer> idleSince = new HashMap<>();
    callers.forEach(it -> idleSince.put(it, 0));
    for (int turn = 1; turn <= MANY + 100; turn++) {
      var place = take(turn());
      assertThat(turn - idleSince.getOrDefault(place.share().caller(), turn))
          .isLessThanOrEqualTo(MANY);
      driven.put(place.share().caller(), place);
      idleSince.remove(place.share().caller());
      if (random.nextInt(3) > 0) {
        var ends = List.copyOf(driven.values()).get(random.nextInt(driven.size()));
        driven.remove(ends.share().caller());
        runQueue.ended(ends.share(), ends.graph());
        idleSince.put(ends.share().caller(), turn);
      }
    }
    assertThat(idleSince.values()).allMatch(it -> it >= 100);
  }

  @Test
  void servesEachOfManyGraphsOfACaller() {
    for (var graph : names("graph")) {
      waits(graph + "-1", "a", graph, 0);
      waits(graph + "-2", "a", graph, 0);
    }
    waits("other", "b", "graph", 0);
    runQueue.refresh();
    Set<String> served = new HashSet<>();
    for (int i = 0; i <= MANY; i++) {
      var place = take(turn());
      runQueue.ended(place.share(), place.graph());
      served.add(place.graph());
    }
    assertThat(served.size()).isEqualTo(MANY + 1);
  }

  @Test
  void servesTheCallerOfWhomTheFewestAreDriven() {
    waits("a1", "a", "g", 1_000);
    waits("a2", "a", "g", 1_000);
    waits("b1", "b", "g", 0);
    waits("b2", "b", "g", 0);
    runQueue.refresh();
    runQueue.started(share("a"), "g");

    var first = take(turn());
    var second = take(turn());
    var third = take(turn());

    assertThat(first.share().caller()).isEqualTo("b");
    assertThat(List.of(second.share().caller(), third.share().caller()))
        .containsExactlyInAnyOrder("a", "b");
  }

  private static Share share(String caller) {
    return Share.of("", caller);
  }

  /// Ten thousand runs of five hundred callers and fifty graphs beside the only one of another
  /// tenant, whatever the order of their names.
  @ParameterizedTest
  @ValueSource(strings = {"a", "z", "default"})
  void servesAnotherTenantNext(String other) {
    fills("many", 10_000);
    waits(new Tenant(other).own("only"), "some", new Tenant(other).own("graph"), -1_000);
    runQueue.refresh();
    assertThat(runQueue.comesBehind(new Share(other, "new"))).as("its own run waits").isTrue();
    assertThat(runQueue.comesBehind(new Share("third", "new"))).isTrue();
    runQueue.started(new Share("many", "caller-1"), "many/graph-1");
    assertThat(runQueue.comesBehind(new Share("many", "caller-x"))).isTrue();

    assertThat(runQueue.next("many/run-1", 0).run()).isEqualTo(new Tenant(other).own("only"));
  }

  private static void fills(String tenant, int runs) {
    jdbc.sql(
            """
            insert into run (id, graph, version, status, caller, priority, created_at)
            select :tenant || '/run-' || n, :tenant || '/graph-' || n % 50, 1, 'queued',
                   'caller-' || n % 500, 1000, now() - interval '1 minute'
              from generate_series(1, :runs) as n
            """)
        .param("tenant", tenant)
        .param("runs", runs)
        .update();
    jdbc.sql("analyze run").update();
  }

  /// Of tenants that have many callers and one that has one, each has as many turns; none has more
  /// because it has more callers.
  @Test
  void servesTenantsInTurn() {
    for (int tenant = 0; tenant < 4; tenant++) {
      fills("t" + tenant, tenant == 0 ? 1_000 : 400);
    }
    for (int i = 0; i < 200; i++) {
      waits("one/" + i, "only", "one/graph", 0);
    }
    runQueue.refresh();
    var served = new HashMap<String, Integer>();
    for (int i = 0; i < 100; i++) {
      served.merge(take(turn()).share().tenant(), 1, Integer::sum);
    }
    assertThat(served).hasSize(5).allSatisfy((_, turns) -> assertThat(turns).isEqualTo(20));
  }

  /// Of one tenant the callers have turns, and of one of them the graphs.
  @Test
  void servesCallersAndGraphsOfATenantInTurn() {
    fills("many", 10_000);
    waits("many/only", "single", "many/single", -1_000);
    waits("few/1", "a", "few/graph", 0);
    runQueue.refresh();
    var callers = new HashSet<String>();
    for (int i = 0; i < 501; i++) {
      var place = take(turn());
      if (place.share().tenant().equals("many")) {
        callers.add(place.share().caller());
      } else {
        i--;
      }
      runQueue.ended(place.share(), place.graph());
    }
    assertThat(callers).hasSize(501);
  }

  /// One that has come since the last refresh.
  @Test
  void seesATenantThatHasJustCome() {
    fills("many", 1_000);
    runQueue.refresh();
    waits("new/1", "a", "new/graph", 0);
    runQueue.started(new Share("many", "caller-1"), "many/graph-1");

    assertThat(runQueue.next("new/1", 0).run()).isEqualTo("new/1");
  }

  /// Each of more tenants than are looked at for a turn.
  @Test
  void servesEachOfManyTenants() {
    for (var tenant : names("t")) {
      waits(tenant + "/1", "a", tenant + "/graph", 0);
      waits(tenant + "/2", "a", tenant + "/graph", 0);
    }
    runQueue.refresh();
    var served = new HashSet<String>();
    for (int i = 0; i < MANY; i++) {
      var place = take(turn());
      runQueue.ended(place.share(), place.graph());
      served.add(place.share().tenant());
    }
    assertThat(served.size()).isEqualTo(MANY);
  }

  /// Nobody's room is asked for: the chosen one holds the fewest places.
  @Test
  void choosesForTheReserve() {
    fills("many", 1_000);
    waits("few/1", "a", "few/graph", 0);
    runQueue.refresh();
    runQueue.started(new Share("many", "caller-1"), "many/graph-1");

    var all = new WithoutRoom(Set.of(), Set.of());
    assertThat(runQueue.next(all).orElseThrow().run()).isEqualTo("few/1");
    assertThat(runQueue.next(all).orElseThrow().run()).startsWith("many/");
  }

  /// Those before them in the round do not keep it from them: of one the only caller that waits may
  /// have none, another has none at all.
  @Test
  void offersTheReserveToThoseWhoMayHaveIt() {
    waits("a/1", "greedy", "a/graph", 0);
    waits("b/1", "x", "b/graph", 0);
    waits("c/1", "greedy", "c/graph", 0);
    waits("c/2", "modest", "c/graph", 0);
    runQueue.refresh();
    for (int i = 0; i < 3; i++) {
      runQueue.started(new Share("c", "modest"), "c/graph");
    }
    var without =
        new WithoutRoom(Set.of("b"), Set.of(new Share("a", "greedy"), new Share("c", "greedy")));

    assertThat(runQueue.next(without).orElseThrow().run()).isEqualTo("c/2");
    assertThat(runQueue.next(without)).isEmpty();
  }

  /// With as many queued runs as ten times fewer, a turn reads as many pages, by the index that
  /// begins with tenants.
  @Test
  void readsAsMuchHoweverManyRunsWait() {
    fillsTenants(300, 33);
    long few = pages();
    fillsTenants(300, 333);
    long many = pages();

    System.out.printf("pages of a turn: %d of 9,900 queued runs, %d of 99,900%n", few, many);
    assertThat(many).isLessThan(few * 2);
  }

  private static void fillsTenants(int tenants, int runs) {
    jdbc.sql("delete from run").update();
    jdbc.sql(
            """
            insert into run (id, graph, version, status, caller, created_at)
            select tenant || '/' || n, tenant || '/g' || n % 3, 1, 'queued', 'c' || n % 30,
                   now() - interval '1 minute'
              from (select 't' || n as tenant from generate_series(1, ?) as n) as tenants,
                   generate_series(1, ?) as n
            """)
        .params(tenants, runs)
        .update();
    jdbc.sql("vacuum analyze run").update();
  }

  /// Index and table pages that a turn and a refresh read.
  private long pages() {
    runQueue.refresh();
    long before = read();
    for (int i = 0; i < 10; i++) {
      var turn = turn();
      runQueue.settled(turn);
    }
    runQueue.refresh();
    return read() - before;
  }

  private static long read() {
    jdbc.sql("select pg_stat_force_next_flush()").query(row -> {});
    return jdbc.sql(
            """
            select sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)
              from pg_statio_user_tables where relname = 'run'
            """)
        .query(Long.class)
        .single();
  }

  @Test
  void servesTheHighestPriorityOfACallerFirst() {
    waits("b-low", "b", "a-graph", 0);
    waits("b-high", "b", "z-graph", 5);
    waits("a", "a", "graph", 0);
    runQueue.started(share("a"), "graph");
    runQueue.refresh();

    assertThat(take(turn()).graph()).isEqualTo("z-graph");
    assertThat(runQueue.someWait()).isTrue();
  }
}
