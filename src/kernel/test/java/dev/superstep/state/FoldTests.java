package dev.superstep.state;

import static dev.superstep.state.StateFixtures.change;
import static dev.superstep.state.StateFixtures.channel;
import static dev.superstep.state.StateFixtures.channels;
import static dev.superstep.state.StateFixtures.ints;
import static dev.superstep.state.StateFixtures.overwrite;
import static dev.superstep.state.StateFixtures.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.RandomValues;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FoldTests {
  private static final Channel LOG = channel("log", new Reducer.Append());
  private static final Channel COUNT = channel("count", new Reducer.Sum());

  /// E4: remove, then overwrite, then update, whatever the order in which they are named.
  @Test
  void actsInTheOrderOfTheParts() {
    var fold = Fold.over(channels(LOG), state("log", ints(1, 2)));
    var change =
        new Change(
            List.of("log"),
            List.of(),
            ObjectValue.of("log", ints(7)),
            ObjectValue.of("log", Value.of(8)));
    assertThat(fold.apply(List.of(change))).isEmpty();
    assertThat(fold.state()).isEqualTo(state("log", ints(7, 8)));
  }

  /// E4: a change acts on what siblings have accumulated.
  @Test
  void removesWhatAnEarlierTaskHasWritten() {
    var fold = Fold.over(channels(LOG), GraphState.empty());
    assertThat(fold.apply(List.of(Change.update("log", Value.of(1))))).isEmpty();
    var removal = new Change(List.of("log"), List.of(), ObjectValue.empty(), ObjectValue.empty());
    assertThat(fold.apply(List.of(removal))).isEmpty();
    assertThat(fold.apply(List.of(Change.update("log", Value.of(3))))).isEmpty();
    assertThat(fold.state()).isEqualTo(state("log", ints(3)));
  }

  /// E4: an overwrite replaces what siblings have brought to a set.
  @Test
  void overwritesASetThatIsStillGrowing() {
    var fold = Fold.over(channels(channel("tags", new Reducer.Union())), state("tags", ints(1)));
    assertThat(fold.apply(List.of(change("tags", ints(3, 2))))).isEmpty();
    assertThat(fold.apply(List.of(overwrite("tags", ints(9))))).isEmpty();
    assertThat(fold.apply(List.of(change("tags", ints(8))))).isEmpty();
    assertThat(fold.state()).isEqualTo(state("tags", ints(8, 9)));
  }

  /// E2: what a node sees never changes under it.
  @Test
  void leavesTheFrozenStateAlone() {
    var frozen = state("log", ints(1));
    var fold = Fold.over(channels(LOG), frozen);
    assertThat(fold.apply(List.of(Change.update("log", Value.of(2))))).isEmpty();
    assertThat(frozen).isEqualTo(state("log", ints(1)));
    assertThat(fold.state()).isEqualTo(state("log", ints(1, 2)));
  }

  /// E20: the task whose update fails leaves nothing behind, its siblings everything.
  @Test
  void foldsAllOfATaskOrNothing() {
    var fold = Fold.over(channels(LOG, COUNT), state("log", ints(1)));
    assertThat(fold.apply(List.of(change("log", Value.of(2), "count", Value.of(1))))).isEmpty();
    var problem =
        fold.apply(
            List.of(
                change("log", Value.of(3), "other", Value.of(3)),
                change("count", Value.of("many"), "log", Value.of(4))));
    assertThat(problem).get().extracting(Fold.Problem::code).isEqualTo("reducer_failed");
    assertThat(problem).get().extracting(Fold.Problem::channel).isEqualTo("count");
    assertThat(fold.state()).isEqualTo(state("log", ints(1, 2)).with("count", Value.of(1)));
    assertThat(fold.touched()).containsExactly("count", "log");
    assertThat(fold.apply(List.of(Change.update("log", Value.of(5))))).isEmpty();
    assertThat(fold.state().get("log")).isEqualTo(ints(1, 2, 5));
  }

  /// E3: a strict graph takes no field it does not know; a lenient one takes it as `last_value`.
  @Test
  void refusesUndeclaredChannelsOfStrictGraphsOnly() {
    var strict = new Channels(Map.of("log", LOG), true);
    var change = Change.update("lgo", Value.of(1));
    assertThat(Fold.over(strict, GraphState.empty()).apply(List.of(change)))
        .contains(
            new Fold.Problem(
                "undeclared_channel",
                "lgo",
                "",
                "the graph is strict about channels and declares no 'lgo'"));
    var lenient = Fold.over(channels(LOG), GraphState.empty());
    assertThat(lenient.apply(List.of(change))).isEmpty();
    assertThat(lenient.state()).isEqualTo(state("lgo", Value.of(1)));
  }

  /// E8
  @Test
  void refusesReservedNames() {
    assertThat(
            Fold.over(Channels.none(), GraphState.empty())
                .apply(List.of(Change.update("__context", Value.of(1)))))
        .get()
        .extracting(Fold.Problem::code)
        .isEqualTo("reserved_channel");
  }

  /// K3: the same message appended in two supersteps appears twice; `sum` of 1 on 1 is 2.
  @Test
  void takesEqualUpdatesAsOftenAsTheyCome() {
    var channels = channels(LOG, COUNT);
    var hello = Change.update("log", Value.of("hello"));
    var one = Change.update("count", Value.of(1));
    var first = Fold.over(channels, GraphState.empty());
    assertThat(first.apply(List.of(hello, one))).isEmpty();
    var second = Fold.over(channels, first.state());
    assertThat(second.apply(List.of(hello, one))).isEmpty();
    assertThat(second.state())
        .isEqualTo(state("log", ListValue.texts("hello", "hello")).with("count", Value.of(2)));
  }

  /// K12: three static workers each add 1.
  @Test
  void countsThreeWorkersOnlyWithSum() {
    var fold = Fold.over(channels(COUNT), GraphState.empty());
    for (int worker = 0; worker < 3; worker++) {
      assertThat(fold.apply(List.of(change("count", Value.of(1), "last", Value.of(1))))).isEmpty();
    }
    assertThat(fold.state()).isEqualTo(state("count", Value.of(3)).with("last", Value.of(1)));
  }

  /// K18, S0-5, S0-7: block append under two parallel nodes never interleaves; what was there
  /// before comes once and first.
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void neverInterleavesBlocks(long seed) {
    for (int round = 0; round < 100; round++) {
      var random = new RandomValues(seed * 1000 + round);
      var before = random.list(random.below(70), 1);
      var fold =
          Fold.over(
              channels(channel("messages", new Reducer.BlockAppend())), state("messages", before));
      var expected = new ArrayList<>(before.asList());
      for (int node = 0; node < 2; node++) {
        var block = random.list(random.below(40), 1);
        expected.addAll(block.asList());
        assertThat(fold.apply(List.of(Change.update("messages", block)))).isEmpty();
      }
      assertThat(fold.state().get("messages"))
          .as("seed %d, round %d", seed, round)
          .isEqualTo(ListValue.of(expected));
    }
  }

  /// E16: `on_conflict`.
  @Test
  void namesConflictsBetweenTasksButNotWithinOne() {
    var fold = Fold.over(Channels.none(), GraphState.empty());
    assertThat(fold.apply(List.of(change("a", Value.of(1)), change("a", Value.of(2))))).isEmpty();
    assertThat(fold.conflicts()).isEmpty();
    assertThat(fold.apply(List.of(change("b", Value.of(1))))).isEmpty();
    assertThat(fold.apply(List.of(change("b", Value.of(1))))).isEmpty();
    assertThat(fold.apply(List.of(change("a", Value.of(3))))).isEmpty();
    assertThat(fold.apply(List.of(change("b", Value.of(1))))).isEmpty();
    assertThat(fold.conflicts()).containsExactly("b", "a");
    assertThat(fold.state().get("a")).isEqualTo(Value.of(3));
  }

  /// E16: `on_conflict: error`.
  @Test
  void failsTheSecondWriterWhereConflictsAreErrors() {
    var channel =
        new Channel(
            "a",
            new Reducer.LastValue(),
            Optional.empty(),
            false,
            Optional.empty(),
            Channel.OnConflict.ERROR,
            ValueCheck.NONE);
    var fold = Fold.over(channels(channel), GraphState.empty());
    assertThat(fold.apply(List.of(change("a", Value.of(1))))).isEmpty();
    assertThat(fold.apply(List.of(change("a", Value.of(2)))))
        .get()
        .extracting(Fold.Problem::code)
        .isEqualTo("channel_conflict");
    assertThat(fold.state().get("a")).isEqualTo(Value.of(1));
  }
}
