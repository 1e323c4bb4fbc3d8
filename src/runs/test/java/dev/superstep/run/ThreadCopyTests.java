package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InvariantQueries;
import dev.superstep.engine.node.ChildRequest;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.ChildEnd;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/// What a copied thread does from then on.
@RunTest
class ThreadCopyTests extends ThreadScenarios {
  private static final int RESUMES = 4;

  @Autowired private ThreadService threads;

  /// A thread whose first run was answered several times: its turn is far above its ordinal.
  private String edited(String graph) {
    var thread = fresh("thread");
    var first = on.runs().start(post(graph, thread, "one", IfBusy.REJECT)).run();
    for (int i = 0; i < RESUMES; i++) {
      on.await(first, RunStatus.FAILED);
      on.runs().resume(RunActions.resume(first));
    }
    on.await(first, RunStatus.FAILED);
    return thread;
  }

  private String failing() {
    var name = fresh("failing");
    on.graphs()
        .add(
            TestGraphs.graph(name)
                .node("a", TestGraphs.says("a"))
                .node("b", _ -> TestGraphs.fails("as_told"))
                .edge("__start__", "a")
                .edge("a", "b"));
    return name;
  }

  private static NodeRunner calls(String child) {
    return call ->
        switch (call.childEnd().orElse(null)) {
          case null ->
              new Outcome.Child(
                  call.prepareChild(new ChildRequest(child, Optional.empty(), ObjectValue.empty()))
                      .orElseThrow());
          case ChildEnd.Succeeded _ -> TestGraphs.log("called");
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

  private String onlyRunOf(String thread) {
    return inOrder(thread).getFirst();
  }

  /// E41: the checkpoints of a copy name the child of the run that was copied.
  @Test
  void resumesACopyWithAChildOfItsOwn() {
    var works = new AtomicBoolean();
    var child = fresh("child");
    on.graphs()
        .add(
            TestGraphs.graph(child)
                .node("b", _ -> works.get() ? TestGraphs.log("b") : TestGraphs.fails("as_told"))
                .edge("__start__", "b"));
    var graph = fresh("calls");
    on.graphs().add(TestGraphs.graph(graph).node("call", calls(child)).edge("__start__", "call"));
    var thread = fresh("thread");
    var source = on.runs().start(post(graph, thread, "one", IfBusy.REJECT)).run();
    on.await(source, RunStatus.FAILED);
    var first = childrenOf(source).getFirst();
    var events = on.events(first);
    var copy = onlyRunOf(threads.copy(thread));

    works.set(true);
    on.runs().resume(RunActions.resume(copy));

    on.await(copy, RunStatus.SUCCEEDED);
    assertThat(on.log(copy)).containsExactly("one", "called");
    assertThat(childrenOf(copy)).hasSize(1).doesNotContain(first);
    assertThat(on.status(first)).isEqualTo(RunStatus.FAILED);
    assertThat(on.events(first)).isEqualTo(events);
    assertThat(on.status(source)).isEqualTo(RunStatus.FAILED);

    on.runs().resume(RunActions.resume(source));
    on.await(source, RunStatus.SUCCEEDED);
    assertThat(childrenOf(source)).containsExactly(first);
  }

  /// A counter behind the highest ordinal gave new runs turns below those of the copied ones.
  @Test
  void keepsWhatIsSaidInTheCopy() {
    var graph = failing();
    var source = edited(graph);

    var copy = threads.copy(source);

    var said = new ArrayList<>(List.of("one", "a"));
    for (int i = 0; i < 6; i++) {
      var run = on.runs().start(post(graph, copy, "more-" + i, IfBusy.REJECT)).run();
      on.await(run, RunStatus.FAILED);
      said.addAll(List.of("more-" + i, "a"));
      assertThat(threadLog(copy)).isEqualTo(said);
    }
    assertThat(threadLog(source)).containsExactly("one", "a");
    assertThat(new InvariantQueries(on.jdbc()).threadViolations()).isEmpty();
  }
}
