package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InvariantQueries;
import dev.superstep.engine.run.RunStatus;
import java.util.ArrayList;
import java.util.List;
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
