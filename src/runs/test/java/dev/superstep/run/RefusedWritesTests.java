package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.TestGraphs.asks;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.log;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;

/// durability.md, rule 14: a database that refuses to write. Outcomes are kept, and the same write
/// is tried again; nodes are not called again for it.
@RunTest
class RefusedWritesTests {
  private static final int TRIES = 3;

  @Autowired private RunActions on;
  private final AtomicInteger calls = new AtomicInteger();

  /// Refuses what is written for runs of one graph, and counts how often.
  @BeforeEach
  void prepareARefusal() {
    on.jdbc()
        .sql(
            """
            create table refusal (graph text primary key, state text);
            create sequence refused;
            create function refuse() returns trigger language plpgsql as $$
            declare refusing text;
            begin
              select state into refusing from refusal join run using (graph) where run.id = new.run;
              if refusing is not null then
                perform nextval('refused');
                raise exception 'could not extend file' using errcode = refusing;
              end if;
              return new;
            end $$;
            create trigger refuse before insert on checkpoint
              for each row execute function refuse();
            create trigger refuse before insert on recorded_task
              for each row execute function refuse();
            """)
        .update();
  }

  @AfterEach
  void removeIt() {
    on.jdbc()
        .sql("drop function refuse cascade; drop table refusal; drop sequence refused")
        .update();
  }

  /// A node that is called once and makes the database refuse what follows.
  private NodeRunner fills(String graph, String state) {
    return _ -> {
      calls.incrementAndGet();
      on.jdbc().sql("insert into refusal values (?, ?)").params(graph, state).update();
      return log("paid");
    };
  }

  private void awaitTriesAndLiftIt() {
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() ->
            on.jdbc().sql("select last_value from refused").query(Long.class).single() > TRIES);
    on.jdbc().sql("delete from refusal").update();
  }

  @ParameterizedTest
  @ValueSource(strings = {"53100", "53200", "57014", "58030", "25006"})
  void callsNoNodeAgainForASuperstepThatIsRefused(String state) {
    var name = fresh("refused");
    on.graphs().add(graph(name).node("a", fills(name, state)).edge("__start__", "a"));
    var run = on.start(name);

    awaitTriesAndLiftIt();

    on.await(run, RunStatus.SUCCEEDED);
    assertThat(calls).hasValue(1);
    assertThat(on.log(run)).containsExactly("paid");
    assertThat(on.events(run)).doesNotContain("run.taken_over", "run.resumed");
  }

  /// The database has answered: sending the same again cannot help, but calling the node might.
  @Test
  void callsNodesAgainWithGrowingPausesForARefusalThatIsAnAnswer() {
    var name = fresh("refused");
    var times = new CopyOnWriteArrayList<Long>();
    var gate = new CountDownLatch(1);
    var fills = fills(name, "22P05");
    on.graphs()
        .add(
            graph(name)
                .node(
                    "a",
                    call -> {
                      times.add(System.nanoTime());
                      if (times.size() < 3) {
                        return times.size() == 1 ? fills.run(call) : log("paid");
                      }
                      gate.await();
                      return log("paid");
                    })
                .edge("__start__", "a"));
    var run = on.start(name);

    await().atMost(Duration.ofSeconds(30)).until(() -> times.size() == 3);

    assertThat(times.get(1) - times.get(0)).isGreaterThan(Duration.ofSeconds(1).toNanos());
    assertThat(times.get(2) - times.get(1)).isGreaterThan(Duration.ofSeconds(2).toNanos());
    on.jdbc().sql("delete from refusal").update();
    gate.countDown();
    on.await(run, RunStatus.SUCCEEDED);
  }

  @Test
  void callsNoNodeAgainForAHoldThatIsRefused() {
    var name = fresh("refused");
    on.graphs()
        .add(
            graph(name)
                .node("a", fills(name, "53100"))
                .node("b", asks(InterruptRequest.of("ask", Value.NULL)))
                .edge("__start__", "a", "b"));
    var run = on.start(name);

    awaitTriesAndLiftIt();

    on.await(run, RunStatus.INTERRUPTED);
    assertThat(calls).hasValue(1);
  }

  /// E10.3
  @Test
  void callsNoNodeAgainForAnOutcomeThatIsRefused() {
    var name = fresh("refused");
    var gate = new CountDownLatch(1);
    on.graphs()
        .add(
            graph(name)
                .node("a", fills(name, "53100"))
                .node(
                    "b",
                    _ -> {
                      gate.await();
                      return log("b");
                    })
                .edge("__start__", "a", "b"));
    var run = on.start(name);

    awaitTriesAndLiftIt();
    gate.countDown();

    on.await(run, RunStatus.SUCCEEDED);
    assertThat(calls).hasValue(1);
  }
}
