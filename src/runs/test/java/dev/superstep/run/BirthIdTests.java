package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.request;
import static dev.superstep.run.RunActions.withId;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.log;
import static dev.superstep.run.TestGraphs.says;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.node.ChildRequest;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.BirthId;
import dev.superstep.engine.run.ChildEnd;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.schedule.ScheduledRows;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/// E35, E40, E41: ids that nobody else can compute, and what happens where one is taken.
@RunTest
class BirthIdTests {
  private static final TaskKey CALL = new TaskKey(1, new NodeId("call"), null);

  @Autowired private RunActions on;
  @Autowired private ThreadService threads;

  private String saying() {
    var name = fresh("says");
    on.graphs().add(graph(name).node("a", says("a")).edge("__start__", "a"));
    return name;
  }

  /// @param begun is called when the child is prepared and not stored
  private String calling(String child, Consumer<String> begun) {
    NodeRunner call =
        it ->
            it.childEnd()
                .map(BirthIdTests::ended)
                .orElseGet(() -> {
                  var start =
                      it.prepareChild(
                              new ChildRequest(child, Optional.empty(), ObjectValue.empty()))
                          .orElseThrow();
                  begun.accept(start.header().id());
                  return new Outcome.Child(start);
                });
    var name = fresh("calls");
    on.graphs().add(graph(name).node("call", call).edge("__start__", "call"));
    return name;
  }

  private static Outcome ended(ChildEnd end) {
    return switch (end) {
      case ChildEnd.Succeeded _ -> log("called");
      case ChildEnd.Failed(var error, _) -> new Outcome.Failed(error);
    };
  }

  private List<String> childrenOf(String run) {
    return on.jdbc()
        .sql("select child from child_run where parent = ?")
        .param(run)
        .query((row, _) -> row.getString(1))
        .list();
  }

  private Optional<UUID> birthId(String run) {
    return Optional.ofNullable(
        on.jdbc()
            .sql("select birth_id from run where id = ?")
            .param(run)
            .query((row, _) -> row.getObject(1, UUID.class))
            .list()
            .getFirst());
  }

  private String inThread(String thread) {
    return on.jdbc()
        .sql("select id from run where thread_id = ?")
        .param(thread)
        .query(String.class)
        .single();
  }

  private int takeovers(String run) {
    return on.jdbc()
        .sql("select takeovers from run where id = ?")
        .param(run)
        .query(Integer.class)
        .single();
  }

  /// A replica of a release that derives all ids from those of runs.
  private void besideAReplicaOfBefore(Runnable test) {
    var name = fresh("replica");
    var rows = new ScheduledRows(on.jdbc());
    rows.insertReplicaOfBefore(name);
    try {
      test.run();
    } finally {
      rows.deleteReplica(name);
    }
  }

  /// E40: the run before may have paid another amount under its key.
  @Test
  void sendsOtherKeysWhenAnIdIsUsedAgain() {
    var keys = new CopyOnWriteArrayList<String>();
    var name = fresh("pays");
    on.graphs()
        .add(
            graph(name)
                .node(
                    "pay",
                    call -> {
                      keys.add(call.idempotencyKey());
                      keys.add(call.parts().idempotencyKey("part"));
                      return log("paid");
                    })
                .edge("__start__", "pay"));
    var id = fresh("run");

    for (int i = 0; i < 2; i++) {
      on.runs().start(withId(request(name), id));
      on.await(id, RunStatus.SUCCEEDED);
      var shown = on.queries().tasks(id, TaskFilter.ALL, Page.Request.first(10)).items();
      assertThat(shown.getFirst().calls().idempotencyKey()).isEqualTo(keys.get(2 * i));
      on.runs().delete(id);
    }

    assertThat(keys).hasSize(4).doesNotHaveDuplicates();
  }

  /// E41: the id of a child was a hash of its parent's, which a client may choose.
  @Test
  void beginsChildrenWhoseIdsNobodyHasTaken() {
    var child = saying();
    var parent = fresh("parent");
    var guessed = BirthId.ofRun(parent).child(CALL, 1);
    on.runs().start(withId(request(child), guessed));

    on.runs().start(withId(request(calling(child, _ -> {})), parent));

    on.await(parent, RunStatus.SUCCEEDED);
    assertThat(childrenOf(parent)).hasSize(1).doesNotContain(guessed);
  }

  /// A run without a birth id, as those of before the column: what it sends stays what it was.
  @Test
  void keepsTheIdsThatReplicasOfBeforeCompute() {
    besideAReplicaOfBefore(() -> {
      var ids = new CopyOnWriteArrayList<String>();
      var parent = fresh("parent");
      on.runs().start(withId(request(calling(saying(), ids::add)), parent));
      on.await(parent, RunStatus.SUCCEEDED);

      assertThat(birthId(parent)).isEmpty();
      assertThat(childrenOf(parent)).containsExactly(BirthId.ofRun(parent).child(CALL, 1));
      assertThat(
              on.queries()
                  .tasks(parent, TaskFilter.ALL, Page.Request.first(10))
                  .items()
                  .getFirst()
                  .calls()
                  .idempotencyKey())
          .isEqualTo(BirthId.ofRun(parent).idempotencyKey(CALL, 0, 1));
    });
    assertThat(birthId(on.start(saying()))).isPresent();
  }

  /// E41: an id that is taken ends the task, not the run as one that kills its drivers.
  @Test
  void failsATaskWhoseChildWouldHaveATakenId() {
    besideAReplicaOfBefore(() -> {
      var child = saying();
      var parent = fresh("parent");
      var guessed = BirthId.ofRun(parent).child(CALL, 1);
      on.runs().start(withId(request(child), guessed));

      on.runs().start(withId(request(calling(child, _ -> {})), parent));

      assertThat(failure(parent)).isEqualTo("child_exists");
      on.await(guessed, RunStatus.SUCCEEDED);
      on.runs().delete(guessed);
      on.runs().resume(RunActions.resume(parent));
      on.await(parent, RunStatus.SUCCEEDED);
      assertThat(childrenOf(parent)).containsExactly(guessed);
    });
  }

  @Test
  void countsNoDeathWhenAnIdIsTakenAtTheLastMoment() {
    besideAReplicaOfBefore(() -> {
      var child = saying();
      var parent = fresh("parent");
      var deaths = new CopyOnWriteArrayList<Integer>();
      Consumer<String> take =
          id -> {
            deaths.add(takeovers(parent));
            on.runs().start(withId(request(child), id));
          };

      on.runs().start(withId(request(calling(child, take)), parent));

      assertThat(failure(parent)).isEqualTo("child_exists");
      assertThat(deaths).containsExactly(0);
      assertThat(on.events(parent)).doesNotContain("run.taken_over");
    });
  }

  private String failure(String run) {
    var view = on.await(run, RunStatus.FAILED);
    return view.summary().standing().error().orElseThrow().error().code();
  }

  /// E35: never copied, chosen or shown.
  @Test
  void givesForksAndCopiesBirthIdsOfTheirOwnAndShowsNone() {
    var name = fresh("asks");
    on.graphs()
        .add(
            graph(name)
                .node("a", says("a"))
                .node("ask", TestGraphs.asks(InterruptRequest.of("why", Value.of("Well?"))))
                .edge("__start__", "a")
                .edge("a", "ask"));
    var thread = fresh("thread");
    var source = on.runs().start(RunActions.onThread(request(name), thread)).run();
    on.await(source, RunStatus.INTERRUPTED);

    var fork = on.runs().fork(TestFork.of(source, 1).request());
    var copied = threads.copy(thread);

    on.await(fork, RunStatus.INTERRUPTED);
    var copy = inThread(copied);
    assertThat(List.of(birthId(source), birthId(fork), birthId(copy)))
        .doesNotHaveDuplicates()
        .allSatisfy(it -> assertThat(it).isPresent());
    var interrupts = on.queries().run(source).interrupts();
    assertThat(on.queries().run(fork).interrupts()).doesNotContainAnyElementsOf(interrupts);
    var shown =
        List.of(
            on.queries().run(source),
            on.queries().tasks(source, TaskFilter.ALL, Page.Request.first(10)),
            on.queries().events(source, 0, Set.of(), 100),
            on.threads().thread(thread));
    var secret = birthId(source).orElseThrow().toString();
    assertThat(shown.toString()).contains(source).doesNotContain(secret, secret.replace("-", ""));
  }
}
