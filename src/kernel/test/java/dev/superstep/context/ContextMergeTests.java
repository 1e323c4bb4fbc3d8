package dev.superstep.context;

import static dev.superstep.context.Contexts.entry;
import static dev.superstep.context.Contexts.ids;
import static dev.superstep.context.Contexts.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.state.value.ListValue;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContextMergeTests {

  /// P8 `merge`, P9: union in the order of the edges, a later one wins.
  @Test
  void unitesVariablesAndMetadata() {
    var left = Contexts.context(object("a", "1", "b", "1"), ListValue.empty(), object("m", "1"));
    var right = Contexts.context(object("b", "2", "c", "2"), ListValue.empty(), object("m", "2"));
    var merged = ContextMerge.merge(List.of(left, right), ListValue.empty());
    assertThat(merged.variables()).isEqualTo(object("a", "1", "b", "2", "c", "2"));
    assertThat(merged.metadata()).isEqualTo(object("m", "2"));
    assertThat(merged.template()).isEqualTo("You are.");
  }

  /// P8 `merge`: by entry id, ordered by superstep and within it as in the run.
  @Test
  void unitesHistoryInTheOrderOfTheRun() {
    var run =
        Contexts.context(
            object(),
            ListValue.of(entry("a", 1), entry("x", 2), entry("y", 2), entry("b", 3)),
            object());
    var left = Contexts.context(object(), ListValue.of(entry("y", 2), entry("b", 3)), object());
    var right =
        Contexts.context(
            object(), ListValue.of(entry("a", 1), entry("x", 2), entry("y", 2)), object());
    var merged = ContextMerge.merge(List.of(left, right), run.history());
    assertThat(ids(merged)).containsExactly("a1", "x2", "y2", "b3");
    assertThat(merged.times().size()).isEqualTo(4);
  }

  /// P2: what nobody filtered costs nothing.
  @Test
  void isTheSameInstanceWhereAllAre() {
    var context = Contexts.of("a", "b");
    assertThat(ContextMerge.merge(List.of(context, context, context), ListValue.empty()))
        .isSameAs(context);
  }

  /// P9: what no edge brings is empty, and takes nothing away from what another brings.
  @Test
  void takesAnAbsentContextForEmpty() {
    var there = Contexts.context(object("a", "1"), ListValue.of(entry("x", 1)), object("m", "1"));

    assertThat(ContextMerge.merge(List.of(), ListValue.empty())).isEqualTo(PromptContext.EMPTY);
    for (var order :
        List.of(List.of(there, PromptContext.EMPTY), List.of(PromptContext.EMPTY, there))) {
      var merged = ContextMerge.merge(order, there.history());
      assertThat(merged.variables()).isEqualTo(object("a", "1"));
      assertThat(merged.metadata()).isEqualTo(object("m", "1"));
      assertThat(merged.template()).isEqualTo("You are.");
      assertThat(ids(merged)).containsExactly("x1");
    }
  }

  @Test
  void givesEntriesWithoutIdTwice() {
    var anonymous = Contexts.context(object(), ListValue.of(object("node_id", "n")), object());
    var same = Contexts.context(object(), ListValue.of(object("node_id", "n")), object());
    assertThat(ContextMerge.merge(List.of(anonymous, same), ListValue.empty()).history().size())
        .isEqualTo(2);
  }
}
