package dev.superstep.run.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.database.MigrationFolder;
import dev.superstep.database.TestDatabase;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/// Turns among more callers, and graphs of one caller, than are looked at for a turn.
class RunQueueTests {
  private static final int MANY = 300;
  private static final SingleConnectionDataSource source = new SingleConnectionDataSource();
  private static final JdbcClient jdbc = JdbcClient.create(source);

  private final Random random = new Random();
  private final RunQueue runQueue = new RunQueue(jdbc, new Suspects());

  @BeforeAll
  static void migrates() throws SQLException {
    var database = TestDatabase.fresh();
    Flyway.configure()
        .dataSource(database.getJdbcUrl(), database.getUsername(), database.getPassword())
        .locations(MigrationFolder.LOCATION)
        .load()
        .migrate();
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
    runQueue.started(place.caller(), place.graph());
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
        runQueue.ended(place.caller(), place.graph());
        served.add(place.caller());
      }
      assertThat(served.size()).as("callers of round %d", round).isEqualTo(MANY);
    }
  }

  private static void waitThree(String caller) {
    for (int i = 0; i < 3; i++) {
      waits(caller + "/" + i, caller, "graph", 0);
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
      assertThat(turn - idleSince.getOrDefault(place.caller(), turn)).isLessThanOrEqualTo(MANY);
      driven.put(place.caller(), place);
      idleSince.remove(place.caller());
      if (random.nextInt(3) > 0) {
        var ends = List.copyOf(driven.values()).get(random.nextInt(driven.size()));
        driven.remove(ends.caller());
        runQueue.ended(ends.caller(), ends.graph());
        idleSince.put(ends.caller(), turn);
      }
    }
    assertThat(idleSince.values()).allMatch(it -> it >= 100);
  }

  @Test
  void servesEachOfManyGraphsOfACaller() {
    for (var graph : names("graph")) {
      waits(graph + "/1", "a", graph, 0);
      waits(graph + "/2", "a", graph, 0);
    }
    waits("other", "b", "graph", 0);
    runQueue.refresh();
    Set<String> served = new HashSet<>();
    for (int i = 0; i <= MANY; i++) {
      var place = take(turn());
      runQueue.ended(place.caller(), place.graph());
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
    runQueue.started("a", "g");

    var first = take(turn());
    var second = take(turn());
    var third = take(turn());

    assertThat(first.caller()).isEqualTo("b");
    assertThat(List.of(second.caller(), third.caller())).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void servesTheHighestPriorityOfACallerFirst() {
    waits("b-low", "b", "a-graph", 0);
    waits("b-high", "b", "z-graph", 5);
    waits("a", "a", "graph", 0);
    runQueue.started("a", "graph");
    runQueue.refresh();

    assertThat(take(turn()).graph()).isEqualTo("z-graph");
    assertThat(runQueue.someWait()).isTrue();
  }
}
