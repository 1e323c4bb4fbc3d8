package dev.superstep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.context.ContextEdit;
import dev.superstep.context.ContextEdit.HistoryCut;
import dev.superstep.context.ContextEdit.Keys;
import dev.superstep.context.Glob;
import dev.superstep.engine.checkpoint.PreparedCheckpoint;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Edits of the prompt context by hand (E42).
class EditedContextTests {

  private static ContextEdit set(String variables) {
    return new ContextEdit(
        Optional.empty(),
        new Keys(List.of(), ContextGraph.json(variables)),
        Keys.NONE,
        HistoryCut.NONE);
  }

  private static ContextEdit remove(String pattern) {
    return new ContextEdit(
        Optional.empty(),
        new Keys(List.of(Glob.of(pattern)), ObjectValue.empty()),
        Keys.NONE,
        HistoryCut.NONE);
  }

  /// P13: what is missing is given, and the task that lacked it runs.
  @Test
  void mendsARunThatLackedContextInModeViewAndChain() {
    for (var mode : List.of(new ContextGraph(), new ContextGraph().chain())) {
      var contexts = mode.node("b", "{'required_context': ['llm.model']}");
      var run =
          new TestRuns()
              .start(
                  contexts.program(
                      new TestGraph()
                          .node("a", contexts.looks("{'x': 1}"))
                          .node("b", contexts.looks())
                          .edge("__start__", "a")
                          .edge("a", "b")),
                  ObjectValue.empty(),
                  ContextGraph.origin("{'y': 2}"));
      assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
      assertThat(run.errorCode()).isEqualTo("context_incompatible");

      run.edit(set("{'llm.model': 'm'}"));

      assertThat(run.resume()).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(contexts.keys("b")).isEqualTo("llm.model x y");
      assertThat(contexts.entries("b")).isEqualTo("before a");
    }
  }

  /// P13, E42: only what is required mends it; other edits are kept for the task that runs then.
  @Test
  void keepsEditsOfTemplateAndHistoryUntilTheContextFits() {
    var contexts = new ContextGraph().node("a", "{'required_context': ['llm.model']}");
    var run =
        new TestRuns()
            .start(
                contexts.program(
                    new TestGraph().node("a", contexts.looks()).edge("__start__", "a")),
                ObjectValue.empty(),
                ContextGraph.origin("{'y': 2}"));
    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);

    for (var edit :
        List.of(
            new ContextEdit(Optional.of("other"), Keys.NONE, Keys.NONE, HistoryCut.NONE),
            new ContextEdit(
                Optional.empty(), Keys.NONE, Keys.NONE, new HistoryCut(Set.of("h-0"), 100)))) {
      run.edit(edit);
      assertThat(run.resume()).isEqualTo(RunStatus.FAILED);
      assertThat(run.errorCode()).isEqualTo("context_incompatible");
    }
    run.edit(set("{'llm.model': 'm'}"));

    assertThat(run.resume()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(contexts.keys("a")).isEqualTo("llm.model y");
    assertThat(contexts.entries("a")).isEmpty();
    assertThat(run.last().context().orElseThrow().template()).isEqualTo("other");
  }

  @Test
  void changesAllParts() {
    var context = ContextGraph.origin("{'a.b': 1, 'a.c': 2, 'd': 3}").context().orElseThrow();
    var edit =
        new ContextEdit(
            Optional.of("other"),
            new Keys(List.of(Glob.of("a.*")), ContextGraph.json("{'a.c': 4}")),
            new Keys(List.of(Glob.of("meta")), ObjectValue.empty()),
            new HistoryCut(Set.of("h-0"), Integer.MAX_VALUE));

    var edited = edit.apply(context);

    assertThat(edited.template()).isEqualTo("other");
    assertThat(edited.variables()).isEqualTo(ContextGraph.json("{'a.c': 4, 'd': 3}"));
    assertThat(edited.metadata().isEmpty()).isTrue();
    assertThat(edited.history().isEmpty()).isTrue();
    assertThat(edited.times().isEmpty()).isTrue();
  }

  @Test
  void keepsTheNewestEntries() {
    var context =
        ContextGraph.origin("{}")
            .context()
            .orElseThrow()
            .plusEntry(ContextGraph.json("{'id': 'h-1'}"), "2026-01-02T00:00:00Z");
    var edit = new ContextEdit(Optional.empty(), Keys.NONE, Keys.NONE, new HistoryCut(Set.of(), 1));

    assertThat(edit.apply(context).history().get(0)).isEqualTo(ContextGraph.json("{'id': 'h-1'}"));
    assertThat(edit.apply(context).metadata().get("history_dropped")).isEqualTo(Value.of(1));
  }

  /// A run that its prompt context made too large goes on without some of it; an edit that makes it
  /// too large is refused.
  @Test
  void keepsToTheLimitOfSize() {
    var limits =
        new EngineLimits(100, 16, 10, 10, 1_000, 10_000, EngineLimits.DEFAULT.timeoutDefault());
    var contexts = new ContextGraph();
    var run =
        new TestRuns(limits)
            .start(
                contexts.program(
                    new TestGraph()
                        .node("a", contexts.looks("{'new': '" + "n".repeat(400) + "'}"))
                        .edge("__start__", "a")),
                ObjectValue.empty(),
                ContextGraph.origin("{'old': '" + "o".repeat(500) + "'}"));
    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("state_too_large");

    assertThat(run.edit(set("{'more': '" + "m".repeat(900) + "'}")))
        .isInstanceOfSatisfying(
            PreparedCheckpoint.Refused.class,
            it -> assertThat(it.error().code()).isEqualTo("state_too_large"));
    assertThat(run.edit(remove("ol*"))).isInstanceOf(PreparedCheckpoint.Ready.class);

    assertThat(run.resume()).isEqualTo(RunStatus.SUCCEEDED);
  }

  @Test
  void saysWhatItCannotEdit() {
    var contexts = new ContextGraph();
    var graph = new TestGraph().node("a", contexts.looks()).edge("__start__", "a");
    var without = new TestRuns().start(graph.program(), ObjectValue.empty());
    var with =
        new TestRuns()
            .start(contexts.program(graph), ObjectValue.empty(), ContextGraph.origin("{}"));
    var unknown =
        new ContextEdit(
            Optional.empty(),
            Keys.NONE,
            Keys.NONE,
            new HistoryCut(Set.of("h-9"), Integer.MAX_VALUE));

    assertThat(without.edit(remove("a")).toString()).contains("keeps no prompt context");
    assertThat(with.edit(unknown).toString()).contains("the history has no entry 'h-9'");
  }
}
