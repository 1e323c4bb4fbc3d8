package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.log;
import static dev.superstep.run.TestGraphs.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.run.BirthId;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.schedule.Replica;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/// Runs in flight while the database gets another history, which here loses nothing.
@RunTest
class EraChangeTests {
  private static final int ERA_SHIFT = 32;

  @Autowired private RunActions on;
  @Autowired private Replica replica;

  private int promote() {
    int era = on.jdbc().sql("select database_era()").query(Integer.class).single();
    on.jdbc()
        .sql("update database_era set timeline = '00000000' where era = ?")
        .param(era)
        .update();
    return era + 1;
  }

  /// The key that the API shows.
  private String shown(String run, TaskKey task) {
    return on.queries().tasks(run, TaskFilter.ALL, Page.Request.first(100)).items().stream()
        .filter(it -> it.key().equals(task))
        .map(it -> it.calls().idempotencyKey())
        .findFirst()
        .orElseThrow();
  }

  private BirthId birthId(String run) {
    return on.jdbc()
        .sql("select birth_id from run where id = ?")
        .param(run)
        .query((row, _) -> BirthId.of(run, row.getObject(1, UUID.class)))
        .single();
  }

  private long epoch(String run) {
    return on.jdbc()
        .sql("select lease_epoch from run where id = ?")
        .param(run)
        .query(Long.class)
        .single();
  }

  /// Nobody has died: it is no takeover, and brings no run nearer to its end.
  @Test
  void claimsAnewWhatWasDrivenInTheHistoryBefore() throws Exception {
    var keys = new CopyOnWriteArrayList<String>();
    var begun = new CountDownLatch(1);
    var name = fresh("rewound");
    on.graphs()
        .add(
            graph(name)
                .node("first", says("first"))
                .node(
                    "second",
                    call -> {
                      keys.add(call.idempotencyKey());
                      if (keys.size() == 1) {
                        begun.countDown();
                        new CountDownLatch(1).await();
                      }
                      return log("second");
                    })
                .node(
                    "third",
                    call -> {
                      keys.add(call.idempotencyKey());
                      return log("third");
                    })
                .edge("__start__", "first")
                .edge("first", "second")
                .edge("second", "third"));
    var run = on.start(name);
    begun.await();
    var former = replica.id().orElseThrow();

    int era = promote();

    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("first", "second", "third");
    assertThat(keys).hasSize(3);
    assertThat(keys.get(1)).as("stands on a checkpoint of before").isEqualTo(keys.getFirst());
    var lost = new TaskKey(3, new NodeId("third"), null);
    assertThat(keys.getLast())
        .as("the history before may have called it with something else")
        .isNotEqualTo(birthId(run).idempotencyKey(lost, 0, era - 1))
        .isEqualTo(shown(run, lost));
    assertThat(on.events(run)).doesNotContain("run.taken_over", "run.failed");
    assertThat(epoch(run) >> ERA_SHIFT).isEqualTo(era - 1);
    await().untilAsserted(() -> assertThat(replica.id()).isPresent().get().isNotEqualTo(former));
  }

  /// A driver of a lost history could have the same id and epoch.
  @Test
  void startsRunsWithEpochsOfTheNewHistory() {
    int era = promote();
    var name = fresh("after");
    on.graphs().add(graph(name).node("a", says("a")).edge("__start__", "a"));

    var run = on.start(name);

    on.await(run, RunStatus.SUCCEEDED);
    assertThat(epoch(run) >> ERA_SHIFT).isEqualTo(era - 1);
  }
}
